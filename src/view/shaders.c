// The programs of the graphics card, in what OpenGL 3.3 and OpenGL ES 3 have in common.
#include "view/renderer.h"

// place of a vertex in the world; shared by the programs that draw meshes
#define PLACE                                                            \
  "in vec4 vPos;\n"                                                      \
  "in vec3 vNormal;\n"                                                   \
  "in vec2 vTexcoord;\n"                                                 \
  "in vec4 iRow0; in vec4 iRow1; in vec4 iRow2;\n"                       \
  "in vec4 iInverse; in vec4 iColor; in vec4 iLook; in vec4 iTexture;\n" \
  "uniform mat4 clip;\n"                                                 \
  "vec3 place(vec4 p) { return vec3(dot(iRow0, p), dot(iRow1, p), dot(iRow2, p)); }\n"

static const char LIT_VERTEX[] = PLACE
    "out vec3 position; out vec3 normal; flat out vec4 color; flat out vec4 look;\n"
    "#if TEXTURING\n"
    "out vec3 coords;\n"
    "#endif\n"
    "void main() {\n"
    "  vec3 local = vec3(vPos.xy, vPos.z + vPos.w * iInverse.w);\n"
    "  position = place(vec4(local, 1.0));\n"
    "  normal = place(vec4(vNormal * iInverse.xyz * iInverse.xyz, 0.0));\n"
    "  color = iColor;\n"
    "  look = iLook;\n"
    "#if TEXTURING == 1\n"
    "  coords = vec3(local.xy * iTexture.xy + iTexture.zw, 0.0);\n"
    "#elif TEXTURING == 2\n"
    "  coords = vec3(vTexcoord, 0.0);\n"
    "#elif TEXTURING == 3\n"
    "  coords = local * iTexture.xyz;\n"
    "#endif\n"
    "  gl_Position = clip * vec4(position, 1.0);\n"
    "}\n";

// Light as OpenGL always had it (ambient, diffuse, specular by the half vector), in the colours of the screen, because
// models are made for that; the ambient light comes more from above, darkness is lifted a little, and what is too
// bright is bent, not cut off.
static const char LIT_FRAGMENT[] =
    "in vec3 position; in vec3 normal; flat in vec4 color; flat in vec4 look;\n"
    "#if TEXTURING\n"
    "in vec3 coords;\n"
    "#endif\n"
    "uniform vec3 eye;\n"
    "uniform vec4 clipPlane;\n"
    "uniform vec3 lightPos[LIGHTS]; uniform vec3 lightDir[LIGHTS];\n"
    "uniform vec3 lightDiffuse[LIGHTS]; uniform vec3 lightSpecular[LIGHTS]; uniform vec4 lightShape[LIGHTS];\n"
    "uniform vec3 ambient;\n"
    "uniform mat4 shadowMatrix; uniform vec2 shadowTexel; uniform sampler2DShadow shadowMap;\n"
    "uniform sampler2D texture2d; uniform samplerCube textureCube;\n"
    "uniform sampler2D mirror; uniform vec4 mirrorSize;\n"
    "uniform vec2 fade; uniform vec2 fog; uniform vec4 fogColor;\n"
    "out vec4 result;\n"
    "vec3 n; vec3 v; vec3 light; vec3 shine;\n"
    // 1: in the light. Several comparisons around the place make the border of the shadow soft
    "#ifdef SHADOWS\n"
    "float lit(vec3 l) {\n"
    "  float slope = clamp(1.0 - dot(n, l), 0.0, 1.0);\n"
    "  vec4 p = shadowMatrix * vec4(position + n * shadowTexel.y * (0.6 + 2.0 * slope), 1.0);\n"
    "  vec3 q = p.xyz / p.w;\n"
    "  if (p.w <= 0.0 || any(lessThan(q, vec3(0.0))) || any(greaterThan(q.xy, vec2(1.0)))) return 1.0;\n"
    // the map ends behind what casts shadows, the shadows do not
    "  q.z = min(q.z, 1.0) - 0.0004;\n"
    "  float sum = 0.0;\n"
    "#if SOFT\n"
    "  for (int i = -1; i < 2; i += 2) {\n"
    "    vec2 o = vec2(0.7, 0.35) * float(i);\n"
    "    sum += texture(shadowMap, vec3(q.xy + o * shadowTexel.x, q.z));\n"
    "  }\n"
    "  return sum / 2.0;\n"
    "#else\n"
    "  for (int i = 0; i < 25; i++) {\n"
    "    vec2 o = vec2(float(i % 5) - 2.0, float(i / 5) - 2.0);\n"
    "    sum += texture(shadowMap, vec3(q.xy + o * shadowTexel.x, q.z));\n"
    "  }\n"
    "  return sum / 25.0;\n"
    "#endif\n"
    "}\n"
    "#endif\n"
    // the root of a square to a power, both 0 ... 1: processors take (1 - x / 8)^8 for e^-x
    "float fall(float square, float power) {\n"
    "#if SOFT\n"
    "  float t = max(1.0 - 0.0625 * power * (1.0 - square), 0.0);\n"
    "  t *= t;\n"
    "  t *= t;\n"
    "  return t * t;\n"
    "#else\n"
    "  return pow(max(square, 1e-8), 0.5 * power);\n"
    "#endif\n"
    "}\n"
    // light i from the direction l; its highlight by the vector halfway to the eye
    "void add(int i, vec3 l, float power) {\n"
    "  float facing = dot(n, l);\n"
    "  power = facing > 0.0 ? power : 0.0;\n"
    "  light += lightDiffuse[i] * (facing * power);\n"
    "  float along = max(facing + dot(n, v), 0.0);\n"
    "  float square = min(along * along / max(2.0 + 2.0 * dot(l, v), 1e-6), 1.0);\n"
    "  shine += lightSpecular[i] * (look.y * power * fall(square, max(look.z, 1.0)));\n"
    "}\n"
    "vec3 toLamp(int i) { return normalize(lightPos[i] - position); }\n"
    "float strength(int i, vec3 l) {\n"
    "  vec4 shape = lightShape[i];\n"
    "  vec3 to = lightPos[i] - position;\n"
    "  float along = dot(-l, lightDir[i]);\n"
    "  float edge = clamp((along - shape.y) * shape.x, 0.0, 1.0);\n"
    "  along = max(along, 0.0);\n"
    "  return edge * edge * (3.0 - 2.0 * edge) * fall(along * along, shape.z) / (1.0 + shape.w * dot(to, to));\n"
    "}\n"
    "void main() {\n"
    "#ifdef CLIPPED\n"
    "  if (dot(clipPlane.xyz, position) + clipPlane.w < 0.0) discard;\n"
    "#endif\n"
    "  vec4 base = color;\n"
    "#if TEXTURING == 1 || TEXTURING == 2\n"
    "  base *= texture(texture2d, coords.xy);\n"
    "#elif TEXTURING == 3\n"
    "  base *= texture(textureCube, coords);\n"
    "#endif\n"
    "  n = normalize(normal);\n"
    "  v = normalize(eye - position);\n"
    "  if (dot(n, v) < 0.0) n = -n;\n"
    "  light = ambient * (0.85 + 0.3 * n.z) + vec3(look.x);\n"
    "  shine = vec3(0.0);\n"
    "  EACH_LIGHT\n"
    "  vec3 c = base.rgb * light + shine;\n"
    "#ifdef MIRRORED\n"
    "  vec4 seen = texture(mirror, gl_FragCoord.xy * mirrorSize.xy + mirrorSize.zw);\n"
    "  float grazing = 1.0 - max(dot(n, v), 0.0);\n"
    "  c = mix(c, seen.rgb, seen.a * clamp(look.w * (1.0 + grazing * grazing * grazing), 0.0, 1.0));\n"
    "#endif\n"
    // brighter shadows, and highlights that never reach their end; processors get the same curves without powers
    "#if SOFT\n"
    "  c = mix(c, sqrt(c), 0.16);\n"
    "  vec3 over = max(c - 0.8, 0.0);\n"
    "  c = min(c, 0.8) + 0.2 - 0.2 / (1.0 + over * (5.0 + 12.5 * over));\n"
    "#else\n"
    "  c = pow(c, vec3(0.88));\n"
    "  c = mix(c, 1.0 - 0.2 * exp((0.8 - c) * 5.0), step(vec3(0.8), c));\n"
    "#endif\n"
    "  float far = length(eye - position);\n"
    "#ifdef FOG\n"
    "  c = mix(c, fogColor.rgb, clamp((far - fog.x) / (fog.y - fog.x), 0.0, 1.0));\n"
    "#endif\n"
    "  float alpha = base.a;\n"
    "#ifdef ENDLESS\n"
    "  alpha *= 1.0 - smoothstep(fade.x, fade.y, far);\n"
    "#endif\n"
    "  result = vec4(c, alpha);\n"
    "}\n";

static const char DEPTH_VERTEX[] = PLACE
    "void main() {\n"
    "  gl_Position = clip * vec4(place(vec4(vPos.xy, vPos.z + vPos.w * iInverse.w, 1.0)), 1.0);\n"
    "}\n";

static const char DEPTH_FRAGMENT[] =
    "out vec4 result;\n"
    "void main() { result = vec4(1.0); }\n";

// two triangles over the whole picture, as far away as possible
static const char SKY_VERTEX[] =
    "in vec4 vPos;\n"
    "uniform vec3 axisX; uniform vec3 axisY; uniform vec3 axisZ;\n"
    "out vec3 direction;\n"
    "void main() {\n"
    "  direction = axisZ + vPos.x * axisX + vPos.y * axisY;\n"
    "  gl_Position = vec4(vPos.xy, 0.99999, 1.0);\n"
    "}\n";

// the sky's y axis is up, the world's z axis is
static const char SKY_FRAGMENT[] =
    "in vec3 direction;\n"
    "uniform samplerCube textureCube; uniform int skyKind; uniform vec4 skyTop; uniform vec4 skyLow;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "  vec3 d = normalize(direction);\n"
    "  vec3 c = mix(skyLow.rgb, skyTop.rgb, smoothstep(-0.15, 0.7, d.z));\n"
    "  if (skyKind == 1) {\n"
    "    c = texture(textureCube, vec3(d.x, d.z, -d.y)).rgb;\n"
    "    c = mix(c, skyLow.rgb, skyLow.a * (1.0 - smoothstep(0.0, 0.2, abs(d.z))));\n"
    "  }\n"
    "  result = vec4(c, 1.0);\n"
    "}\n";

// a strip as wide as so many pixels
static const char LINE_VERTEX[] =
    "in vec4 vPos; in vec4 iRow0; in vec4 iRow1; in vec4 iRow2;\n"
    "uniform mat4 clip; uniform vec4 size;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "  vec4 a = clip * vec4(iRow0.xyz, 1.0);\n"
    "  vec4 b = clip * vec4(iRow1.xyz, 1.0);\n"
    // the part behind the eye is cut off, or it would come back from the other side
    "  float near = 1e-4;\n"
    "  if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));\n"
    "  if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));\n"
    "  vec2 along = (b.xy / b.w - a.xy / a.w) * size.xy;\n"
    "  float length_ = length(along);\n"
    "  along = length_ > 1e-6 ? along / length_ : vec2(1.0, 0.0);\n"
    "  vec4 p = vPos.x < 0.0 ? a : b;\n"
    "  p.xy += vec2(-along.y, along.x) * vPos.y * iRow0.w / size.xy * p.w;\n"
    "  color = iRow2;\n"
    "  gl_Position = p;\n"
    "}\n";

static const char LINE_FRAGMENT[] =
    "in vec4 color;\n"
    "out vec4 result;\n"
    "void main() { result = color; }\n";

static const char CANVAS_VERTEX[] =
    "in vec4 vPos; in vec4 vNormal;\n"
    "uniform vec4 size;\n"
    "out vec2 coords; out vec4 color;\n"
    "void main() {\n"
    "  coords = vPos.zw * size.zw;\n"
    "  color = vNormal;\n"
    "  gl_Position = vec4(vPos.x * size.x - 1.0, 1.0 - vPos.y * size.y, 0.0, 1.0);\n"
    "}\n";

static const char CANVAS_FRAGMENT[] =
    "in vec2 coords; in vec4 color;\n"
    "uniform sampler2D texture2d;\n"
    "out vec4 result;\n"
    "void main() { result = vec4(color.rgb, color.a * texture(texture2d, coords).r); }\n";

const char* const viw_shaders[VIW_NPROGRAM + 1][2] = {
    [VIW_PROGRAM_LIT] = {LIT_VERTEX,    LIT_FRAGMENT   },
      [VIW_PROGRAM_DEPTH] = {DEPTH_VERTEX,  DEPTH_FRAGMENT },
    [VIW_PROGRAM_SKY] = {SKY_VERTEX,    SKY_FRAGMENT   },
      [VIW_PROGRAM_LINE] = {LINE_VERTEX,   LINE_FRAGMENT  },
    [VIW_PROGRAM_CANVAS] = {CANVAS_VERTEX, CANVAS_FRAGMENT},
};
