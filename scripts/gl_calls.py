#!/usr/bin/env python3
"""gl_calls.py OUT: a function for each one of OpenGL that the renderer uses, which notes its call and arguments.

test/render/library/trace.c includes the result. Numbers are noted as they are, arrays with the lengths that OpenGL gives them:

  static void traceVertex3fv(const GLfloat* v) { note(N_Vertex3fv); floats(v, 3); }
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# what an array holds, where the name of the function does not say it
ARRAYS = {
    ("LoadMatrixf", "m"): "floats(m, 16)", ("MultMatrixf", "m"): "floats(m, 16)", ("Color4ubv", "v"): "bytes(v, 4)",
    ("ClipPlane", "equation"): "doubles(equation, 4)", ("BufferData", "data"): "bytes(data, data ? (size_t)size : 0)",
    ("CallLists", "lists"): "bytes(lists, (size_t)n)", ("Bitmap", "bits"): "bytes(bits, bits ? (size_t)(h * ((w + 7) / 8)) : 0)",
    ("TexImage2D", "pixels"): "pixelsOf(pixels, width, height, format, type)", ("DrawPixels", "pixels"): "pixelsOf(pixels, w, h, format, type)",
    ("VertexPointer", "pointer"): "array(0, pointer, size)", ("NormalPointer", "pointer"): "array(1, pointer, 3)",
    ("TexCoordPointer", "pointer"): "array(2, pointer, size)",
}
LISTS = ("DeleteBuffers", "DeleteTextures", "DeleteFramebuffers", "DeleteRenderbuffers")
# what is answered instead of zero
ANSWERS = {"GetIntegerv": "answerInts(name, params)", "GetFloatv": "answerFloats(name, params)", "GetString": "return answerString(name)",
           "GetBooleanv": "*params = 1", "GetRenderbufferParameteriv": "*params = 4", "GenTextures": "names_(n, textures)",
           "GenBuffers": "names_(n, buffers)", "GenFramebuffers": "names_(n, names)", "GenRenderbuffers": "names_(n, names)",
           "GenLists": "return newLists(range)", "CheckFramebufferStatus": "return GL_FRAMEBUFFER_COMPLETE",
           "ReadPixels": "answerPixels(w, h, format, type, pixels)", "DrawArrays": "drawn(first, count)", "IsList": "return 1",
           "LoadMatrixf": "matrix(m, 0)", "MultMatrixf": "matrix(m, 1)"}


def noted(name, kind, parameter):
    """The statement that notes one argument."""
    if "*" not in kind:
        return f"number({parameter})" if kind in ("GLfloat", "GLdouble", "GLclampf", "GLclampd") else f"whole((long long){parameter})"
    if (name, parameter) in ARRAYS:
        return ARRAYS[name, parameter]
    if name in LISTS:
        return f"bytes({parameter}, (size_t)n * sizeof(GLuint))"
    count = re.search(r"([234])fv$", name)
    if count:
        return f"floats({parameter}, {count[1]})"
    if name.endswith("fv") and not name.startswith("Get"):
        return f"floats({parameter}, name == GL_SPOT_DIRECTION ? 3 : 4)"
    return ""


def main():
    header = (ROOT / "src/render/gl.h").read_text().replace("\\\n", "\n")
    table = header[header.index("#define REN_EACH_FUNCTION"):header.index("typedef struct {")]
    names, functions = [], []
    for result, name, parameters in re.findall(r"FN\(([^,]+), (\w+),\s*\(([^()]*)\)", table):
        if name == "DebugMessageCallback" or name == "name":
            continue
        parts = [] if parameters.strip() == "void" else [re.sub(r"\s+", " ", part).strip() for part in parameters.split(",")]
        split = [(re.sub(r"\w+$", "", part).strip(), re.search(r"\w+$", part)[0]) for part in parts]
        body = [f"note(N_{name})"] + [text for text in (noted(name, kind, which) for kind, which in split) if text]
        body += [f"(void){which}" for _, which in split]
        answer = ANSWERS.get(name, "" if result == "void" else f"return ({result})0")
        names.append(name)
        functions.append(f"static {result} trace{name}({', '.join(parts) or 'void'}) {{ {'; '.join(body + [answer])}; }}")
    out = ["enum { " + ", ".join(f"N_{name}" for name in names) + ", N_COUNT };",
           "static const char* const NAMES[] = {" + ", ".join(f'"{name}"' for name in names) + "};",
           "static void note(int function);", *["@"], *functions,
           "static const Function FUNCTIONS[] = {" + ", ".join(f"(Function)trace{name}" for name in names) + "};"]
    parts = "\n".join(out).split("@")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gl_names.inc").write_text(parts[0])
    (folder / "gl_calls.inc").write_text(parts[1])


if __name__ == "__main__":
    main()
