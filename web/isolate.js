// Threads share memory, and browsers give that only to pages whose server sends two headers. A folder of files cannot send
// them, so this service worker adds them to the page and to its workers. It changes nothing else, and keeps nothing.
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" && event.request.destination !== "worker") return;
  event.respondWith(fetch(event.request).then((answer) => {
    if (answer.type === "opaqueredirect" || answer.status === 0) return answer;
    const headers = new Headers(answer.headers);
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Embedder-Policy", "require-corp");
    return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
  }));
});
