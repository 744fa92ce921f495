#!/usr/bin/env python3
"""gl_calls.py OUT: a function for each one of OpenGL that the renderers use, which notes its call and arguments.

test/render/library/trace.c includes the result for mjr_*, test/view/trace_test.c that for the viewer. Numbers are noted as they are, arrays with the lengths that OpenGL gives them:

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
VIEW_ARRAYS = {
    ("Uniform3fv", "v"): "floats(v, 3 * count)", ("Uniform4fv", "v"): "floats(v, 4 * count)",
    ("UniformMatrix4fv", "v"): "floats(v, 16 * count)", ("BufferData", "data"): "buffer(target, data, (size_t)size)",
    ("ShaderSource", "string"): "for (int i = 0; i < count; i++) text(string[i])", ("BindAttribLocation", "name"): "text(name)",
    ("GetUniformLocation", "name"): "text(name)", ("TexImage2D", "pixels"): "pixelsOf(pixels, width, height, format, type)",
    ("VertexAttribPointer", "pointer"): "whole((long long)(size_t)pointer)", ("DrawElementsInstanced", "indices"): "whole((long long)(size_t)indices)",
    ("DrawBuffers", "buffers"): "bytes(buffers, (size_t)n * sizeof(GLenum))",
}
LISTS = ("DeleteBuffers", "DeleteTextures", "DeleteFramebuffers", "DeleteRenderbuffers", "DeleteVertexArrays")
# what is answered instead of zero
ANSWERS = {"GetIntegerv": "answerInts(name, params)", "GetFloatv": "answerFloats(name, params)", "GetString": "return answerString(name)",
           "GetBooleanv": "*params = 1", "GetRenderbufferParameteriv": "*params = 4", "GenTextures": "names_(n, textures)",
           "GenBuffers": "names_(n, buffers)", "GenFramebuffers": "names_(n, names)", "GenRenderbuffers": "names_(n, names)",
           "GenLists": "return newLists(range)", "CheckFramebufferStatus": "return GL_FRAMEBUFFER_COMPLETE",
           "ReadPixels": "answerPixels(w, h, format, type, pixels)", "DrawArrays": "drawn(first, count)", "IsList": "return 1",
           "LoadMatrixf": "matrix(m, 0)", "MultMatrixf": "matrix(m, 1)"}
VIEW_ANSWERS = {"GetIntegerv": "answerInts(name, params)", "GetString": "return answerString(name)", "GenBuffers": "names_(n, buffers)",
                "GenVertexArrays": "names_(n, arrays)", "GenTextures": "names_(n, textures)", "GenFramebuffers": "names_(n, framebuffers)",
                "GenRenderbuffers": "names_(n, renderbuffers)", "CreateShader": "return ++last", "CreateProgram": "return ++last",
                "GetShaderiv": "*params = 1", "GetProgramiv": "*params = 1", "GetUniformLocation": "return placeOf(name)",
                "CheckFramebufferStatus": "return GL_FRAMEBUFFER_COMPLETE", "BindBuffer": "bound(target, buffer)",
                "VertexAttribPointer": "described(type, stride)", "ReadPixels": "memset(pixels, 0, (size_t)(3 * width * height))"}


def noted(name, kind, parameter, arrays):
    """The statement that notes one argument."""
    if "*" not in kind:
        return f"number({parameter})" if kind in ("GLfloat", "GLdouble", "GLclampf", "GLclampd") else f"whole((long long){parameter})"
    if (name, parameter) in arrays:
        return arrays[name, parameter]
    if name in LISTS:
        return f"bytes({parameter}, (size_t)n * sizeof(GLuint))"
    count = re.search(r"([234])fv$", name)
    if count:
        return f"floats({parameter}, {count[1]})"
    if name.endswith("fv") and not name.startswith("Get"):
        return f"floats({parameter}, name == GL_SPOT_DIRECTION ? 3 : 4)"
    return ""


def write(folder, header, macro, prefix, arrays, answers):
    """PREFIX_names.inc and PREFIX_calls.inc for the functions that a header lists in a macro."""
    text = (ROOT / header).read_text().replace("\\\n", "\n")
    table = text[text.index(f"#define {macro}"):text.index("typedef struct {")]
    names, functions = [], []
    for result, name, parameters in re.findall(r"FN\(([^,]+), (\w+),\s*\(([^()]*)\)", table):
        if name == "DebugMessageCallback" or name == "name":
            continue
        parts = [] if parameters.strip() == "void" else [re.sub(r"\s+", " ", part).strip() for part in parameters.split(",")]
        split = [(re.sub(r"\w+$", "", part).strip(), re.search(r"\w+$", part)[0]) for part in parts]
        body = [f"note(N_{name})"] + [text for text in (noted(name, kind, which, arrays) for kind, which in split) if text]
        body += [f"(void){which}" for _, which in split]
        answer = answers.get(name, "" if result == "void" else f"return ({result})0")
        names.append(name)
        functions.append(f"static {result} trace{name}({', '.join(parts) or 'void'}) {{ {'; '.join(body + [answer])}; }}")
    (folder / f"{prefix}_names.inc").write_text("\n".join([
        "enum { " + ", ".join(f"N_{name}" for name in names) + ", N_COUNT };",
        "static const char* const NAMES[] = {" + ", ".join(f'"{name}"' for name in names) + "};",
        "static void note(int function);", ""]))
    (folder / f"{prefix}_calls.inc").write_text("\n".join([
        *functions, "static const Function FUNCTIONS[] = {" + ", ".join(f"(Function)trace{name}" for name in names) + "};", ""]))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, "src/render/gl.h", "REN_EACH_FUNCTION", "gl", ARRAYS, ANSWERS)
    write(folder, "src/view/gl.h", "VIW_EACH_FUNCTION", "view", VIEW_ARRAYS, VIEW_ANSWERS)


if __name__ == "__main__":
    main()
