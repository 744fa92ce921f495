// The page around the viewer: scenes, files that are dropped or opened, the address, and what the viewer asks for. Nothing
// is loaded from elsewhere.
//   ?scene=NAME    one of the scenes       ?model=ADDRESS  a model or a zip on this server
//   ?live          what a running program sends to `sinew view --listen`, which serves the page then
//   &key=NAME, &camera=NAME, &speed=NUMBER  how it begins
//   ?plain, ?single  the engine without vector instructions, without threads
//   ?script=TEXT   hands, as sinew view --script takes them   ?hash=A,B    hashes of runs of scenes, for tests
"use strict";

const element = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);

// files lie where models look for them: scenes in one folder, what the user brings in another
const SCENES = "/scenes", OWN = "/model";

var Module = {
  print: (text) => { element("out").textContent += text + "\n"; },
  printErr: (text) => console.log(text),
  say: (text) => { element("note").textContent = text; },
  scriptDone: () => { document.title = "done"; },
  setStatus: () => {},
  ready: () => start().catch((error) => Module.say(String(error))),

  // The name of what draws, which an extension tells. It is asked on another canvas: how many samples this one has depends on it.
  isSoftware: () => {
    const gl = document.createElement("canvas").getContext("webgl2");
    const more = gl && gl.getExtension("WEBGL_debug_renderer_info");
    const name = more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : "";
    const lose = gl && gl.getExtension("WEBGL_lose_context");
    if (lose) lose.loseContext();
    return /swiftshader|llvmpipe|softpipe|software/i.test(name);
  },

  // tests look at the picture instead of downloading it
  savedPicture: (name, canvas) => {
    if (query.has("script")) {
      canvas.id = "picture";
      return;
    }
    canvas.toBlob((blob) => download(blob, name));
  },
  startFilm: () => {
    const canvas = element("canvas");
    if (!canvas.captureStream || !window.MediaRecorder) return false;
    const recorder = new MediaRecorder(canvas.captureStream(60)), parts = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => download(new Blob(parts, { type: recorder.mimeType }), "view.webm");
    recorder.start();
    Module.film = recorder;
    return true;
  },
  stopFilm: () => Module.film && Module.film.stop(),
};

// The engine with vector instructions where the browser takes a function that returns a vector, else (and with ?plain) without;
// with threads where it shares memory between them, else (and with ?single) on one.
const VECTOR = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 22, 1, 20, 0, 253, 12, ...Array(16).fill(0), 11];
const vectors = WebAssembly.validate(new Uint8Array(VECTOR)) && !query.has("plain");
const cores = Math.max(2, Math.min(navigator.hardwareConcurrency || 1, 8));  // web/CMakeLists.txt starts as many workers
const shared = vectors && window.crossOriginIsolated && navigator.hardwareConcurrency > 1 && !query.has("single");

function loadEngine(path, otherwise) {
  const engine = document.createElement("script");
  engine.src = path;
  Module.threads = path.startsWith("threads/") ? cores : 0;
  engine.onerror = () => otherwise ? loadEngine(otherwise) : Module.say("the engine is missing: this folder lacks " + path);
  document.body.append(engine);
}
if (shared) loadEngine("threads/sinew.js", "sinew.js");
else loadEngine(vectors ? "sinew.js" : "plain/sinew.js");

// Where the server does not send the headers that shared memory needs, the next visit gets them by a service worker: this one
// goes on with one thread instead of waiting for it.
function askForThreads() {
  if (window.crossOriginIsolated || !vectors || query.has("single") || window.top !== window) return;
  if (!window.isSecureContext || !navigator.serviceWorker) return;
  navigator.serviceWorker.register("isolate.js").catch(() => {});
}

// the scenes come meanwhile
const scenes = fetchBytes("scenes.zip");
scenes.catch(() => {});  // said where they are waited for

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- files

async function fetchBytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

// of the engine; threads make it grow without telling the views on it
function memory() {
  return new Uint8Array(wasmMemory.buffer);
}

function unzip(bytes, folder) {
  const at = Module._malloc(bytes.length);
  memory().set(bytes, at);
  const n = Module.ccall("webUnzip", "number", ["number", "number", "string"], [at, bytes.length, folder]);
  Module._free(at);
  if (n < 0) throw new Error("the zip is damaged");
}

function load(path) {
  const good = Module.ccall("webLoad", "number", ["string"], [path]);
  Module.say("");
  return good;
}

// all files below a folder
function listFiles(folder) {
  const found = [];
  for (const name of FS.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = folder + "/" + name;
    if (FS.isDir(FS.stat(path).mode)) found.push(...listFiles(path));
    else found.push(path);
  }
  return found;
}

// A model among what was brought: files that others include come last, scenes first; the first that loads is shown.
function loadOwn() {
  const models = listFiles(OWN).filter((path) => /\.(xml|urdf|mjb)$/i.test(path));
  const text = (path) => (/\.mjb$/i.test(path) ? "" : FS.readFile(path, { encoding: "utf8" }));
  const all = models.map(text).join("\n");
  const rank = (path) => {
    const name = path.split("/").pop();
    return (all.includes(`file="${name}"`) ? 10 : 0) + (/scene/i.test(name) ? 0 : 1);
  };
  models.sort((a, b) => rank(a) - rank(b) || a.length - b.length);
  if (!models.length) throw new Error("no model among these files: MJCF (.xml), URDF (.urdf) or MJB (.mjb)");
  for (const path of models) if (load(path)) return;
  // nothing loads: the error of the likeliest one is shown; files that are missing can be dropped too
  load(models[0]);
}

async function takeFiles(files) {
  try {
    const list = [...files];
    // a new model begins with an empty folder; meshes alone are added to what is there
    if (list.some((file) => /\.(xml|urdf|mjb|zip)$/i.test(file.name))) {
      for (const path of FS.analyzePath(OWN).exists ? listFiles(OWN) : []) FS.unlink(path);
    }
    if (!FS.analyzePath(OWN).exists) FS.mkdir(OWN);
    for (const file of list) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (/\.zip$/i.test(file.name)) unzip(bytes, OWN);
      else FS.writeFile(OWN + "/" + file.name, bytes);
    }
    loadOwn();
  } catch (error) {
    Module.say(String(error.message || error));
  }
}

// ---- a running program

// Messages go to the viewer as they are (src/live/message.h); of states that come between two frames, the newest.
function follow() {
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/watch`);
  socket.binaryType = "arraybuffer";
  let state = null;
  const pass = (data) => {
    const bytes = new Uint8Array(data), at = Module._malloc(bytes.length);
    memory().set(bytes, at);
    Module.ccall("webLive", null, ["number", "number"], [at, bytes.length]);
    Module._free(at);
  };
  socket.onopen = () => Module.say("waiting for a program: sn_viewConnect in C, sinew.view in Python");
  socket.onmessage = (event) => {
    Module.say("");
    const kind = event.data.byteLength >= 8 ? new DataView(event.data).getUint32(4, true) : 0;
    if (kind !== 2) {
      state = null;
      pass(event.data);
      return;
    }
    if (!state) requestAnimationFrame(() => { if (state) pass(state); state = null; });
    state = event.data;
  };
  socket.onclose = () => {
    Module.ccall("webLiveGone", null, [], []);
    Module.say("the viewer that sent the states has ended; load the page again when it is back");
  };
}

// ---- the page

function fillScenes() {
  const select = element("scenes");
  for (const folder of ["", "contact/", "physics/"]) {
    const names = FS.readdir(`${SCENES}/${folder}`).filter((name) => name.endsWith(".xml")).sort();
    for (const name of names) select.add(new Option(folder + name.replace(".xml", "")));
  }
  select.onchange = () => {
    load(`${SCENES}/${select.value}.xml`);
    describe(select.value);
    history.replaceState(null, "", `?scene=${select.value}`);
    element("canvas").focus();
  };
}

// what the scene's own first comment says
function describe(name) {
  const text = FS.readFile(`${SCENES}/${name}.xml`, { encoding: "utf8" });
  const comment = /<!--([^]*?)(\n\n|-->)/.exec(text);
  element("about").textContent = comment ? comment[1].trim().replace(/\s+/g, " ") : "";
}

function listen() {
  element("files").onchange = (event) => takeFiles(event.target.files);
  element("panels").onclick = () => Module.ccall("webPanels", null, [], []);
  element("pull").hidden = !navigator.maxTouchPoints;
  element("pull").onclick = (event) => {
    const on = event.target.getAttribute("aria-pressed") !== "true";
    event.target.setAttribute("aria-pressed", on);
    Module.ccall("webPull", null, ["number"], [on ? 1 : 0]);
  };
  element("help").onclick = () => key("F1");
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    takeFiles(event.dataTransfer.files);
  });
}

function key(name, shiftKey) {
  window.dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey: !!shiftKey }));
}

async function start() {
  Module.say("loading scenes");
  unzip(await scenes, SCENES);
  fillScenes();
  listen();
  if (window.innerWidth < 800) Module.ccall("webBare", null, [], []);
  if (query.has("hash")) {
    for (const name of query.get("hash").split(",")) {
      const threads = Module.ccall("webThreads", "number", [], []) ? 1 : 0;
      Module.print(Module.ccall("webHash", "string", ["string", "number"], [`${SCENES}/${name}.xml`, threads]));
    }
    document.title = "done";
    return;
  }
  if (query.has("live")) {
    follow();
  } else if (query.has("model")) {
    const address = query.get("model"), bytes = await fetchBytes(address);
    await takeFiles([new File([bytes], address.split("/").pop())]);
  } else {
    const name = query.get("scene") || "humanoid";
    element("scenes").value = name;
    load(`${SCENES}/${name}.xml`);
    if (FS.analyzePath(`${SCENES}/${name}.xml`).exists) describe(name);
  }
  const begin = ["key", "camera", "speed"].filter((name) => query.has(name));
  for (const name of begin) {
    if (!Module.ccall("webBegin", "number", ["string", "string"], [name, query.get(name)])) Module.say(`there is no ${name} ${query.get(name)}`);
  }
  if (query.has("script")) Module.ccall("webScript", "number", ["string"], [query.get("script")]);
  element("canvas").focus();
  setTimeout(askForThreads, 1000);
}
