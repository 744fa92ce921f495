// Rows of the MJCF schema: what every attribute holds and where it goes. See schema.h.
// The file is a table, so it is as long as MJCF has attributes.
#include <stddef.h>
#include <string.h>

#include "spec/schema.h"

// clang-format off

// -------------------------------------------------------------------------------------------- keywords

#define WORDS(name) const SpcWord spc_words##name[] =
#define LOCAL_WORDS(name) static const SpcWord words##name[] =

WORDS(Bool) {{"false", 0}, {"true", 1}, {0}};
WORDS(Auto) {{"false", 0}, {"true", 1}, {"auto", 2}, {0}};
LOCAL_WORDS(Enable) {{"disable", 0}, {"enable", 1}, {0}};
LOCAL_WORDS(Angle) {{"radian", 0}, {"degree", 1}, {0}};
LOCAL_WORDS(Coordinate) {{"local", 0}, {"global", 1}, {0}};
WORDS(FluidShape) {{"none", 0}, {"ellipsoid", 1}, {0}};
WORDS(JointType) {{"free", mjJNT_FREE}, {"ball", mjJNT_BALL}, {"slide", mjJNT_SLIDE}, {"hinge", mjJNT_HINGE}, {0}};
WORDS(GeomType) {
    {"plane", mjGEOM_PLANE}, {"hfield", mjGEOM_HFIELD}, {"sphere", mjGEOM_SPHERE}, {"capsule", mjGEOM_CAPSULE},
    {"ellipsoid", mjGEOM_ELLIPSOID}, {"cylinder", mjGEOM_CYLINDER}, {"box", mjGEOM_BOX}, {"mesh", mjGEOM_MESH},
    {"sdf", mjGEOM_SDF}, {0}};
LOCAL_WORDS(CamLight) {
    {"fixed", mjCAMLIGHT_FIXED}, {"track", mjCAMLIGHT_TRACK}, {"trackcom", mjCAMLIGHT_TRACKCOM},
    {"targetbody", mjCAMLIGHT_TARGETBODY}, {"targetbodycom", mjCAMLIGHT_TARGETBODYCOM}, {0}};
WORDS(LightType) {
    {"spot", mjLIGHT_SPOT}, {"directional", mjLIGHT_DIRECTIONAL}, {"point", mjLIGHT_POINT}, {"image", mjLIGHT_IMAGE}, {0}};
LOCAL_WORDS(Projection) {{"perspective", mjPROJ_PERSPECTIVE}, {"orthographic", mjPROJ_ORTHOGRAPHIC}, {0}};
LOCAL_WORDS(CamOut) {
    {"rgb", mjCAMOUT_RGB}, {"depth", mjCAMOUT_DEPTH}, {"distance", mjCAMOUT_DIST}, {"normal", mjCAMOUT_NORMAL},
    {"segmentation", mjCAMOUT_SEG}, {0}};
LOCAL_WORDS(Sleep) {
    {"auto", mjSLEEP_AUTO}, {"never", mjSLEEP_NEVER}, {"allowed", mjSLEEP_ALLOWED}, {"init", mjSLEEP_INIT}, {0}};
LOCAL_WORDS(Integrator) {
    {"Euler", mjINT_EULER}, {"RK4", mjINT_RK4}, {"implicit", mjINT_IMPLICIT}, {"implicitfast", mjINT_IMPLICITFAST}, {0}};
LOCAL_WORDS(Cone) {{"pyramidal", mjCONE_PYRAMIDAL}, {"elliptic", mjCONE_ELLIPTIC}, {0}};
LOCAL_WORDS(Jacobian) {{"dense", mjJAC_DENSE}, {"sparse", mjJAC_SPARSE}, {"auto", mjJAC_AUTO}, {0}};
LOCAL_WORDS(Solver) {{"PGS", mjSOL_PGS}, {"CG", mjSOL_CG}, {"Newton", mjSOL_NEWTON}, {0}};
WORDS(Equality) {
    {"connect", mjEQ_CONNECT}, {"weld", mjEQ_WELD}, {"joint", mjEQ_JOINT}, {"tendon", mjEQ_TENDON}, {"flex", mjEQ_FLEX},
    {"flexvert", mjEQ_FLEXVERT}, {0}};
LOCAL_WORDS(TextureType) {{"2d", mjTEXTURE_2D}, {"cube", mjTEXTURE_CUBE}, {"skybox", mjTEXTURE_SKYBOX}, {0}};
LOCAL_WORDS(ColorSpace) {
    {"auto", mjCOLORSPACE_AUTO}, {"linear", mjCOLORSPACE_LINEAR}, {"sRGB", mjCOLORSPACE_SRGB}, {0}};
LOCAL_WORDS(Builtin) {
    {"none", mjBUILTIN_NONE}, {"gradient", mjBUILTIN_GRADIENT}, {"checker", mjBUILTIN_CHECKER}, {"flat", mjBUILTIN_FLAT}, {0}};
LOCAL_WORDS(Mark) {{"none", mjMARK_NONE}, {"edge", mjMARK_EDGE}, {"cross", mjMARK_CROSS}, {"random", mjMARK_RANDOM}, {0}};
WORDS(Texrole) {
    {"rgb", mjTEXROLE_RGB}, {"occlusion", mjTEXROLE_OCCLUSION}, {"roughness", mjTEXROLE_ROUGHNESS},
    {"metallic", mjTEXROLE_METALLIC}, {"normal", mjTEXROLE_NORMAL}, {"opacity", mjTEXROLE_OPACITY},
    {"emissive", mjTEXROLE_EMISSIVE}, {"rgba", mjTEXROLE_RGBA}, {"orm", mjTEXROLE_ORM}, {0}};
LOCAL_WORDS(Dyn) {
    {"none", mjDYN_NONE}, {"integrator", mjDYN_INTEGRATOR}, {"filter", mjDYN_FILTER}, {"filterexact", mjDYN_FILTEREXACT},
    {"muscle", mjDYN_MUSCLE}, {"user", mjDYN_USER}, {0}};
LOCAL_WORDS(Gain) {
    {"fixed", mjGAIN_FIXED}, {"affine", mjGAIN_AFFINE}, {"muscle", mjGAIN_MUSCLE}, {"user", mjGAIN_USER}, {0}};
LOCAL_WORDS(Bias) {{"none", mjBIAS_NONE}, {"affine", mjBIAS_AFFINE}, {"muscle", mjBIAS_MUSCLE}, {"user", mjBIAS_USER}, {0}};
WORDS(Interp) {{"zoh", 0}, {"linear", 1}, {"cubic", 2}, {0}};
WORDS(Stage) {{"none", mjSTAGE_NONE}, {"pos", mjSTAGE_POS}, {"vel", mjSTAGE_VEL}, {"acc", mjSTAGE_ACC}, {0}};
WORDS(DataType) {
    {"real", mjDATATYPE_REAL}, {"positive", mjDATATYPE_POSITIVE}, {"axis", mjDATATYPE_AXIS},
    {"quaternion", mjDATATYPE_QUATERNION}, {0}};
WORDS(ConData) {
    {"found", mjCONDATA_FOUND}, {"force", mjCONDATA_FORCE}, {"torque", mjCONDATA_TORQUE}, {"dist", mjCONDATA_DIST},
    {"pos", mjCONDATA_POS}, {"normal", mjCONDATA_NORMAL}, {"tangent", mjCONDATA_TANGENT}, {0}};
WORDS(RayData) {
    {"dist", mjRAYDATA_DIST}, {"dir", mjRAYDATA_DIR}, {"origin", mjRAYDATA_ORIGIN}, {"point", mjRAYDATA_POINT},
    {"normal", mjRAYDATA_NORMAL}, {"depth", mjRAYDATA_DEPTH}, {0}};
WORDS(Reduce) {{"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}, {0}};
WORDS(MeshBuiltin) {
    {"none", mjMESH_BUILTIN_NONE}, {"sphere", mjMESH_BUILTIN_SPHERE}, {"hemisphere", mjMESH_BUILTIN_HEMISPHERE},
    {"cone", mjMESH_BUILTIN_CONE}, {"supersphere", mjMESH_BUILTIN_SUPERSPHERE}, {"supertorus", mjMESH_BUILTIN_SUPERTORUS},
    {"wedge", mjMESH_BUILTIN_WEDGE}, {"plate", mjMESH_BUILTIN_PLATE}, {0}};
LOCAL_WORDS(MeshInertia) {
    {"convex", mjMESH_INERTIA_CONVEX}, {"exact", mjMESH_INERTIA_EXACT}, {"legacy", mjMESH_INERTIA_LEGACY},
    {"shell", mjMESH_INERTIA_SHELL}, {0}};
LOCAL_WORDS(Self) {
    {"none", mjFLEXSELF_NONE}, {"narrow", mjFLEXSELF_NARROW}, {"bvh", mjFLEXSELF_BVH}, {"sap", mjFLEXSELF_SAP},
    {"auto", mjFLEXSELF_AUTO}, {0}};
LOCAL_WORDS(Elastic2d) {{"none", 0}, {"bend", 1}, {"stretch", 2}, {"both", 3}, {0}};
LOCAL_WORDS(LengthRange) {
    {"none", mjLRMODE_NONE}, {"muscle", mjLRMODE_MUSCLE}, {"muscleuser", mjLRMODE_MUSCLEUSER}, {"all", mjLRMODE_ALL}, {0}};

int spc_wordValue(const SpcWord* words, const char* word) {
  for (; words->word; words++) {
    if (!strcmp(words->word, word)) return words->value;
  }
  return -1;
}

const char* spc_wordName(const SpcWord* words, int value) {
  for (; words->word; words++) {
    if (words->value == value) return words->word;
  }
  return NULL;
}

// -------------------------------------------------------------------------------------------- row shorthands

#define ROWS(name) const SpcAttributeRow spc_rows##name[] =
#define AT(member) offsetof(T, member)
#define NAME             {"name", SPC_A_NAME, 0, 0, SPC_NODEFAULT, 0, NULL}
#define CLASS            {"class", SPC_A_SPECIAL, 0, 0, SPC_NODEFAULT, 0, NULL}
#define SPECIAL(a)       {#a, SPC_A_SPECIAL, 0, 0, 0, 0, NULL}
#define SPECIAL_ND(a)    {#a, SPC_A_SPECIAL, 0, 0, SPC_NODEFAULT, 0, NULL}
#define NUM(a, n)        {#a, SPC_A_DOUBLE, n, n, 0, AT(a), NULL}
#define NUM_UPTO(a, n)   {#a, SPC_A_DOUBLE, 1, n, 0, AT(a), NULL}
#define NUM_AS(a, m, n)  {#a, SPC_A_DOUBLE, n, n, 0, AT(m), NULL}
#define NUM_UPTO_AS(a, m, n) {#a, SPC_A_DOUBLE, 1, n, 0, AT(m), NULL}
#define FLOAT(a, n)      {#a, SPC_A_FLOAT, n, n, 0, AT(a), NULL}
#define FLOAT_AS(a, m, n) {#a, SPC_A_FLOAT, n, n, 0, AT(m), NULL}
#define INT(a, n)        {#a, SPC_A_INT, n, n, 0, AT(a), NULL}
#define INT_AS(a, m, n)  {#a, SPC_A_INT, n, n, 0, AT(m), NULL}
#define WORD(a, w)       {#a, SPC_A_WORD, 1, 1, 0, AT(a), w}
#define WORD_AS(a, m, w) {#a, SPC_A_WORD, 1, 1, 0, AT(m), w}
#define BOOL(a)          {#a, SPC_A_WORDBYTE, 1, 1, 0, AT(a), spc_wordsBool}
#define BOOL_AS(a, m)    {#a, SPC_A_WORDBYTE, 1, 1, 0, AT(m), spc_wordsBool}
#define TEXT(a)          {#a, SPC_A_TEXT, 0, 0, 0, AT(a), NULL}
#define TEXT_AS(a, m)    {#a, SPC_A_TEXT, 0, 0, 0, AT(m), NULL}
#define TEXT_AS_ND(a, m) {#a, SPC_A_TEXT, 0, 0, SPC_NODEFAULT, AT(m), NULL}
#define TEXT_REQ(a, m)   {#a, SPC_A_TEXT, 0, 0, SPC_NODEFAULT | SPC_REQUIRED, AT(m), NULL}
#define USER             {"user", SPC_A_DOUBLES, 0, 0, 0, AT(userdata), NULL}
#define ORIENTATION      SPECIAL(axisangle), SPECIAL(xyaxes), SPECIAL(zaxis), SPECIAL(euler)
#define END              {NULL, SPC_A_END, 0, 0, 0, 0, NULL}

// -------------------------------------------------------------------------------------------- body and what it holds

#define T mjsBody
ROWS(Body) {NAME, TEXT_AS(childclass, childclass), NUM(pos, 3), NUM(quat, 4), ORIENTATION, BOOL(mocap), NUM(gravcomp, 1),
            WORD(sleep, wordsSleep), USER, END};
ROWS(Inertial) {{"pos", SPC_A_DOUBLE, 3, 3, SPC_REQUIRED, AT(ipos), NULL}, NUM_AS(quat, iquat, 4),
                {"mass", SPC_A_DOUBLE, 1, 1, SPC_REQUIRED, AT(mass), NULL}, NUM_AS(diaginertia, inertia, 3),
                ORIENTATION, NUM(fullinertia, 6), END};
#undef T

#define T mjsFrame
ROWS(Frame) {NAME, TEXT(childclass), NUM(pos, 3), NUM(quat, 4), ORIENTATION, END};
#undef T
ROWS(Replicate) {SPECIAL(count), SPECIAL(euler), SPECIAL(offset), SPECIAL(sep), END};
ROWS(Attach) {SPECIAL(model), SPECIAL(body), SPECIAL(prefix), END};

#define T mjsJoint
ROWS(Joint) {NAME, CLASS, WORD(type, spc_wordsJointType), INT(group, 1), NUM(pos, 3), NUM(axis, 3), NUM(springdamper, 2),
             WORD(limited, spc_wordsAuto), WORD_AS(actuatorfrclimited, actfrclimited, spc_wordsAuto),
             NUM_UPTO_AS(solreflimit, solref_limit, 2), NUM_UPTO_AS(solimplimit, solimp_limit, 5),
             NUM_UPTO_AS(solreffriction, solref_friction, 2), NUM_UPTO_AS(solimpfriction, solimp_friction, 5),
             NUM(stiffness, 1), NUM(range, 2), NUM_AS(actuatorfrcrange, actfrcrange, 2),
             BOOL_AS(actuatorgravcomp, actgravcomp), NUM(margin, 1), NUM(ref, 1), NUM(springref, 1), NUM(armature, 1),
             NUM(damping, 1), NUM(frictionloss, 1), USER, END};
ROWS(Freejoint) {NAME, INT(group, 1), WORD(align, spc_wordsAuto), END};
#undef T

#define T mjsGeom
ROWS(Geom) {NAME, CLASS, WORD(type, spc_wordsGeomType), NUM_UPTO(size, 3), INT(contype, 1), INT(conaffinity, 1), INT(condim, 1),
            INT(group, 1), INT(priority, 1), NUM_UPTO(friction, 3), NUM(solmix, 1), NUM_UPTO(solref, 2), NUM_UPTO(solimp, 5),
            NUM(margin, 1), NUM(gap, 1), TEXT_AS(hfield, hfieldname), TEXT_AS(mesh, meshname), NUM(fitscale, 1),
            TEXT(material), FLOAT(rgba, 4), {"fluidshape", SPC_A_WORDNUM, 1, 1, 0, AT(fluid_ellipsoid), spc_wordsFluidShape},
            NUM_UPTO_AS(fluidcoef, fluid_coefs, 5), NUM(mass, 1), NUM(density, 1),
            WORD_AS(shellinertia, typeinertia, spc_wordsBool), NUM(fromto, 6), NUM(pos, 3), NUM(quat, 4), ORIENTATION, USER, END};
#undef T

#define T mjsSite
ROWS(Site) {NAME, CLASS, WORD(type, spc_wordsGeomType), NUM_UPTO(size, 3), INT(group, 1), TEXT(material), FLOAT(rgba, 4),
            NUM(fromto, 6), NUM(pos, 3), NUM(quat, 4), ORIENTATION, USER, END};
#undef T

#define T mjsCamera
ROWS(Camera) {NAME, CLASS, WORD(mode, wordsCamLight), TEXT_AS_ND(target, targetbody), NUM(fovy, 1), NUM(ipd, 1),
              WORD_AS(projection, proj, wordsProjection), INT(resolution, 2), {"output", SPC_A_BITS, 1, 5, 0, AT(output), wordsCamOut},
              FLOAT_AS(sensorsize, sensor_size, 2), FLOAT_AS(focal, focal_length, 2), FLOAT_AS(focalpixel, focal_pixel, 2),
              FLOAT_AS(principal, principal_length, 2), FLOAT_AS(principalpixel, principal_pixel, 2), NUM(pos, 3), NUM(quat, 4),
              ORIENTATION, USER, END};
#undef T

#define T mjsLight
ROWS(Light) {NAME, CLASS, WORD(mode, wordsCamLight), TEXT_AS_ND(target, targetbody), TEXT_AS_ND(texture, texture),
             SPECIAL(directional), WORD(type, spc_wordsLightType), BOOL(castshadow), BOOL(active), NUM(pos, 3), NUM(dir, 3),
             FLOAT(bulbradius, 1), FLOAT(intensity, 1), FLOAT(range, 1), FLOAT(attenuation, 3), FLOAT(cutoff, 1), FLOAT(exponent, 1),
             FLOAT(ambient, 3), FLOAT(diffuse, 3), FLOAT(specular, 3), END};
#undef T

// -------------------------------------------------------------------------------------------- assets

#define T mjsMesh
ROWS(Mesh) {NAME, CLASS, TEXT_AS_ND(content_type, content_type), TEXT_AS_ND(file, file),
            {"vertex", SPC_A_FLOATS, 0, 0, SPC_NODEFAULT, AT(uservert), NULL},
            {"normal", SPC_A_FLOATS, 0, 0, SPC_NODEFAULT, AT(usernormal), NULL},
            {"texcoord", SPC_A_FLOATS, 0, 0, SPC_NODEFAULT, AT(usertexcoord), NULL},
            {"face", SPC_A_INTS, 0, 0, SPC_NODEFAULT, AT(userface), NULL},
            {"refpos", SPC_A_DOUBLE, 3, 3, SPC_NODEFAULT, AT(refpos), NULL},
            {"refquat", SPC_A_DOUBLE, 4, 4, SPC_NODEFAULT, AT(refquat), NULL}, NUM(scale, 3),
            {"smoothnormal", SPC_A_WORDBYTE, 1, 1, SPC_NODEFAULT, AT(smoothnormal), spc_wordsBool}, INT(maxhullvert, 1),
            WORD(inertia, wordsMeshInertia), SPECIAL_ND(builtin), SPECIAL_ND(params), TEXT_AS_ND(material, material), END};
#undef T

#define T mjsHField
ROWS(Hfield) {NAME, TEXT(content_type), TEXT(file), INT(nrow, 1), INT(ncol, 1),
              {"size", SPC_A_DOUBLE, 4, 4, SPC_REQUIRED, AT(size), NULL}, {"elevation", SPC_A_SPECIAL, 0, 0, 0, AT(userdata), NULL}, END};
#undef T

#define T mjsSkin
ROWS(Skin) {NAME, TEXT(file), TEXT(material), INT(group, 1), FLOAT(rgba, 4), FLOAT(inflate, 1),
            {"vertex", SPC_A_FLOATS, 0, 0, 0, AT(vert), NULL}, {"texcoord", SPC_A_FLOATS, 0, 0, 0, AT(texcoord), NULL},
            {"face", SPC_A_INTS, 0, 0, 0, AT(face), NULL}, END};
#undef T
ROWS(Bone) {SPECIAL(body), SPECIAL(bindpos), SPECIAL(bindquat), SPECIAL(vertid), SPECIAL(vertweight), END};

#define T mjsFlex
#define LOOKS INT(group, 1), INT(dim, 1)
#define SURFACE TEXT(material), FLOAT(rgba, 4), BOOL(flatskin)
ROWS(Flex) {NAME, LOOKS, NUM(radius, 1), SURFACE, {"body", SPC_A_TEXTS, 0, 0, 0, AT(vertbody), NULL},
            {"vertex", SPC_A_DOUBLES, 0, 0, 0, AT(vert), NULL}, {"element", SPC_A_INTS, 0, 0, 0, AT(elem), NULL},
            {"texcoord", SPC_A_FLOATS, 0, 0, 0, AT(texcoord), NULL},
            {"elemtexcoord", SPC_A_INTS, 0, 0, 0, AT(elemtexcoord), NULL},
            {"node", SPC_A_TEXTS, 0, 0, 0, AT(nodebody), NULL}, END};
ROWS(Flexcomp) {NAME, SPECIAL(type), LOOKS, SPECIAL(dof), SPECIAL(count), SPECIAL(spacing), NUM(radius, 1), SPECIAL(rigid),
                SPECIAL(mass), SPECIAL(inertiabox), SPECIAL(scale), SPECIAL(file),
                {"point", SPC_A_DOUBLES, 0, 0, 0, AT(vert), NULL}, {"element", SPC_A_INTS, 0, 0, 0, AT(elem), NULL},
                {"texcoord", SPC_A_FLOATS, 0, 0, 0, AT(texcoord), NULL}, SURFACE, SPECIAL(pos), SPECIAL(quat), ORIENTATION,
                SPECIAL(origin), END};
ROWS(FlexContact) {INT(contype, 1), INT(conaffinity, 1), INT(condim, 1), INT(priority, 1), NUM_UPTO(friction, 3), NUM(solmix, 1),
                   NUM_UPTO(solref, 2), NUM_UPTO(solimp, 5), NUM(margin, 1), NUM(gap, 1), BOOL(internal),
                   WORD(selfcollide, wordsSelf), INT(activelayers, 1), WORD(vertcollide, spc_wordsBool),
                   WORD(passive, spc_wordsBool), END};
ROWS(FlexEdge) {NUM_AS(stiffness, edgestiffness, 1), NUM_AS(damping, edgedamping, 1), END};
ROWS(Elasticity) {NUM(young, 1), NUM(poisson, 1), NUM(damping, 1), NUM(thickness, 1), WORD(elastic2d, wordsElastic2d), END};
#undef T

#define T mjsTexture
ROWS(Texture) {NAME, WORD(type, wordsTextureType), WORD(colorspace, wordsColorSpace), TEXT(content_type), TEXT(file), INT(gridsize, 2),
               {"gridlayout", SPC_A_CHARS, 0, 12, 0, AT(gridlayout), NULL}, SPECIAL(fileright), SPECIAL(fileleft), SPECIAL(fileup),
               SPECIAL(filedown), SPECIAL(filefront), SPECIAL(fileback), WORD(builtin, wordsBuiltin), NUM(rgb1, 3), NUM(rgb2, 3),
               WORD(mark, wordsMark), NUM(markrgb, 3), NUM(random, 1), INT(width, 1), INT(height, 1), BOOL(hflip), BOOL(vflip),
               INT(nchannel, 1), END};
#undef T

#define T mjsMaterial
ROWS(Material) {NAME, CLASS, SPECIAL(texture), FLOAT(texrepeat, 2), BOOL(texuniform), FLOAT(emission, 1), FLOAT(specular, 1),
                FLOAT(shininess, 1), FLOAT(reflectance, 1), FLOAT(metallic, 1), FLOAT(roughness, 1), FLOAT(rgba, 4), END};
#undef T
ROWS(Layer) {SPECIAL(texture), SPECIAL(role), END};
ROWS(Model) {SPECIAL(name), SPECIAL(file), SPECIAL(content_type), END};

// -------------------------------------------------------------------------------------------- contact, equality, tendon

#define T mjsPair
ROWS(Pair) {NAME, CLASS, TEXT_REQ(geom1, geomname1), TEXT_REQ(geom2, geomname2), INT(condim, 1), NUM_UPTO(friction, 5),
            NUM_UPTO(solref, 2), NUM_UPTO(solreffriction, 2), NUM_UPTO(solimp, 5), NUM(gap, 1), NUM(margin, 1), END};
#undef T

#define T mjsExclude
ROWS(Exclude) {NAME, TEXT_REQ(body1, bodyname1), TEXT_REQ(body2, bodyname2), END};
#undef T

#define T mjsEquality
#define EQUALITY NAME, CLASS, BOOL(active), NUM_UPTO(solref, 2), NUM_UPTO(solimp, 5)
ROWS(Connect) {EQUALITY, SPECIAL_ND(body1), SPECIAL_ND(body2), SPECIAL_ND(anchor), SPECIAL_ND(site1), SPECIAL_ND(site2), END};
ROWS(Weld) {EQUALITY, SPECIAL_ND(body1), SPECIAL_ND(body2), SPECIAL_ND(relpose), SPECIAL_ND(anchor), SPECIAL_ND(site1),
            SPECIAL_ND(site2), SPECIAL_ND(torquescale), END};
ROWS(EqJoint) {EQUALITY, TEXT_REQ(joint1, name1), TEXT_AS_ND(joint2, name2), SPECIAL_ND(polycoef), END};
ROWS(EqTendon) {EQUALITY, TEXT_REQ(tendon1, name1), TEXT_AS_ND(tendon2, name2), SPECIAL_ND(polycoef), END};
ROWS(EqFlex) {EQUALITY, TEXT_REQ(flex, name1), END};
#undef T

#define T mjsTendon
#define TENDON NAME, CLASS, INT(group, 1), WORD(limited, spc_wordsAuto), NUM(range, 2), \
    {"actuatorfrclimited", SPC_A_WORD, 1, 1, SPC_NODEFAULT, AT(actfrclimited), spc_wordsAuto}, \
    {"actuatorfrcrange", SPC_A_DOUBLE, 2, 2, SPC_NODEFAULT, AT(actfrcrange), NULL}, \
    NUM_UPTO_AS(solreflimit, solref_limit, 2), NUM_UPTO_AS(solimplimit, solimp_limit, 5), \
    NUM_UPTO_AS(solreffriction, solref_friction, 2), NUM_UPTO_AS(solimpfriction, solimp_friction, 5), \
    NUM(margin, 1), NUM(stiffness, 1), NUM(damping, 1), NUM(frictionloss, 1), SPECIAL(springlength), \
    {"armature", SPC_A_DOUBLE, 1, 1, SPC_NODEFAULT, AT(armature), NULL}
ROWS(Spatial) {TENDON, TEXT(material), NUM(width, 1), FLOAT(rgba, 4), USER, END};
ROWS(Fixed) {TENDON, USER, END};
#undef T

// -------------------------------------------------------------------------------------------- actuators

#define T mjsActuator
#define DELAY INT(nsample, 1), WORD(interp, spc_wordsInterp), NUM(delay, 1)
#define LIMITS WORD(ctrllimited, spc_wordsAuto), NUM(ctrlrange, 2), WORD(forcelimited, spc_wordsAuto), NUM(forcerange, 2)
#define TARGETS SPECIAL_ND(joint), SPECIAL_ND(jointinparent), SPECIAL_ND(tendon), SPECIAL_ND(slidersite), SPECIAL_ND(cranksite), \
    {"lengthrange", SPC_A_DOUBLE, 2, 2, SPC_NODEFAULT, AT(lengthrange), NULL}, NUM(cranklength, 1)
#define SITES SPECIAL_ND(site), SPECIAL_ND(refsite)
#define ACTUATOR NAME, CLASS, INT(group, 1), DELAY, NUM_UPTO(gear, 6), USER

ROWS(General) {ACTUATOR, LIMITS, TARGETS, SITES, SPECIAL_ND(body), WORD(actlimited, spc_wordsAuto), NUM(actrange, 2), INT(actdim, 1),
               WORD(dyntype, wordsDyn), WORD(gaintype, wordsGain), WORD(biastype, wordsBias), NUM_UPTO(dynprm, mjNDYN),
               NUM_UPTO(gainprm, mjNGAIN), NUM_UPTO(biasprm, mjNBIAS), BOOL(actearly), END};
ROWS(Motor) {ACTUATOR, LIMITS, TARGETS, SITES, END};
ROWS(Position) {ACTUATOR, LIMITS, TARGETS, SITES, NUM(inheritrange, 1), SPECIAL(kp), SPECIAL(kv), SPECIAL(dampratio), SPECIAL(timeconst), END};
ROWS(Velocity) {ACTUATOR, LIMITS, TARGETS, SITES, SPECIAL(kv), END};
ROWS(Intvelocity) {ACTUATOR, LIMITS, TARGETS, SITES, NUM(actrange, 2), NUM(inheritrange, 1), SPECIAL(kp), SPECIAL(kv), SPECIAL(dampratio), END};
ROWS(Damper) {ACTUATOR, NUM(ctrlrange, 2), WORD(forcelimited, spc_wordsAuto), NUM(forcerange, 2), TARGETS, SITES, SPECIAL(kv), END};
ROWS(Cylinder) {ACTUATOR, LIMITS, TARGETS, SITES, SPECIAL(timeconst), SPECIAL(area), SPECIAL(diameter), SPECIAL(bias), END};
ROWS(Muscle) {ACTUATOR, LIMITS, TARGETS, SPECIAL(timeconst), SPECIAL_ND(tausmooth), SPECIAL(range), SPECIAL(force), SPECIAL(scale), SPECIAL(lmin),
              SPECIAL(lmax), SPECIAL(vmax), SPECIAL(fpmax), SPECIAL(fvmax), END};
ROWS(Adhesion) {NAME, CLASS, INT(group, 1), DELAY, NUM(ctrlrange, 2), WORD(forcelimited, spc_wordsAuto), NUM(forcerange, 2), USER,
                SPECIAL_ND(body), SPECIAL(gain), END};
ROWS(ActPlugin) {ACTUATOR, LIMITS, TARGETS, SPECIAL_ND(site), WORD(actlimited, spc_wordsAuto), NUM(actrange, 2), INT(actdim, 1),
                 WORD(dyntype, wordsDyn), NUM_UPTO(dynprm, mjNDYN), BOOL(actearly), SPECIAL_ND(plugin), SPECIAL_ND(instance), END};
#undef T

// -------------------------------------------------------------------------------------------- custom, keyframe

#define T mjsNumeric
ROWS(Numeric) {NAME, {"data", SPC_A_DOUBLES, 0, 0, 0, AT(data), NULL}, INT(size, 1), END};
#undef T
#define T mjsText
ROWS(TextElement) {NAME, {"data", SPC_A_TEXT, 0, 0, SPC_REQUIRED, AT(data), NULL}, END};
#undef T
ROWS(Tuple) {NAME, END};
ROWS(TupleElement) {SPECIAL(objtype), SPECIAL(objname), SPECIAL(prm), END};
#define T mjsKey
ROWS(Key) {NAME, NUM(time, 1), {"qpos", SPC_A_DOUBLES, 0, 0, 0, AT(qpos), NULL}, {"qvel", SPC_A_DOUBLES, 0, 0, 0, AT(qvel), NULL},
           {"act", SPC_A_DOUBLES, 0, 0, 0, AT(act), NULL}, {"mpos", SPC_A_DOUBLES, 0, 0, 0, AT(mpos), NULL},
           {"mquat", SPC_A_DOUBLES, 0, 0, 0, AT(mquat), NULL}, {"ctrl", SPC_A_DOUBLES, 0, 0, 0, AT(ctrl), NULL}, END};
#undef T

// -------------------------------------------------------------------------------------------- sections that set options

#define T mjSpec
ROWS(Compiler) {BOOL_AS(autolimits, compiler.autolimits), NUM_AS(boundmass, compiler.boundmass, 1),
                NUM_AS(boundinertia, compiler.boundinertia, 1), NUM_AS(settotalmass, compiler.settotalmass, 1),
                BOOL_AS(balanceinertia, compiler.balanceinertia), BOOL_AS(strippath, strippath),
                {"coordinate", SPC_A_SPECIAL, 0, 0, 0, 0, wordsCoordinate},
                {"angle", SPC_A_WORDBYTE, 1, 1, 0, AT(compiler.degree), wordsAngle}, BOOL_AS(fitaabb, compiler.fitaabb),
                {"eulerseq", SPC_A_SPECIAL, 0, 0, 0, 0, NULL}, TEXT_AS(meshdir, compiler.meshdir), TEXT_AS(texturedir, compiler.texturedir),
                SPECIAL(assetdir), BOOL_AS(discardvisual, compiler.discardvisual), BOOL_AS(usethread, compiler.usethread),
                BOOL_AS(fusestatic, compiler.fusestatic), WORD_AS(inertiafromgeom, compiler.inertiafromgeom, spc_wordsAuto),
                INT_AS(inertiagrouprange, compiler.inertiagrouprange, 2), BOOL_AS(saveinertial, compiler.saveinertial),
                WORD_AS(alignfree, compiler.alignfree, spc_wordsBool), END};
ROWS(Lengthrange) {WORD_AS(mode, compiler.LRopt.mode, wordsLengthRange), WORD_AS(useexisting, compiler.LRopt.useexisting, spc_wordsBool),
                   WORD_AS(uselimit, compiler.LRopt.uselimit, spc_wordsBool), NUM_AS(accel, compiler.LRopt.accel, 1),
                   NUM_AS(maxforce, compiler.LRopt.maxforce, 1), NUM_AS(timeconst, compiler.LRopt.timeconst, 1),
                   NUM_AS(timestep, compiler.LRopt.timestep, 1), NUM_AS(inttotal, compiler.LRopt.inttotal, 1),
                   NUM_AS(interval, compiler.LRopt.interval, 1), NUM_AS(tolrange, compiler.LRopt.tolrange, 1), END};

#define OPT(a) NUM_AS(a, option.a, 1)
#define OPTI(a) INT_AS(a, option.a, 1)
ROWS(Option) {OPT(timestep), OPT(impratio), OPT(tolerance), OPT(ls_tolerance), OPT(noslip_tolerance), OPT(ccd_tolerance),
              OPT(sleep_tolerance), NUM_AS(gravity, option.gravity, 3), NUM_AS(wind, option.wind, 3), NUM_AS(magnetic, option.magnetic, 3),
              OPT(density), OPT(viscosity), OPT(o_margin), NUM_UPTO_AS(o_solref, option.o_solref, 2),
              NUM_UPTO_AS(o_solimp, option.o_solimp, 5), NUM_UPTO_AS(o_friction, option.o_friction, 5),
              WORD_AS(integrator, option.integrator, wordsIntegrator), WORD_AS(cone, option.cone, wordsCone),
              WORD_AS(jacobian, option.jacobian, wordsJacobian), WORD_AS(solver, option.solver, wordsSolver), OPTI(iterations),
              OPTI(ls_iterations), OPTI(noslip_iterations), OPTI(ccd_iterations), OPTI(sdf_iterations), OPTI(sdf_initpoints),
              SPECIAL(actuatorgroupdisable), END};

// a flag's row holds its bit; a disable flag has min 1, an enable flag min 0
#define DISABLE(a, bit) {#a, SPC_A_SPECIAL, 1, bit, 0, AT(option.disableflags), wordsEnable}
#define ENABLE(a, bit) {#a, SPC_A_SPECIAL, 0, bit, 0, AT(option.enableflags), wordsEnable}
ROWS(Flag) {DISABLE(constraint, 0), DISABLE(equality, 1), DISABLE(frictionloss, 2), DISABLE(limit, 3), DISABLE(contact, 4),
            DISABLE(spring, 5), DISABLE(damper, 6), DISABLE(gravity, 7), DISABLE(clampctrl, 8), DISABLE(warmstart, 9),
            DISABLE(filterparent, 10), DISABLE(actuation, 11), DISABLE(refsafe, 12), DISABLE(sensor, 13), DISABLE(midphase, 14),
            DISABLE(eulerdamp, 15), DISABLE(autoreset, 16), DISABLE(nativeccd, 17), DISABLE(island, 18), ENABLE(override, 0),
            ENABLE(energy, 1), ENABLE(fwdinv, 2), ENABLE(invdiscrete, 3), ENABLE(multiccd, 4), ENABLE(sleep, 5), END};

ROWS(Size) {SPECIAL(memory), INT(njmax, 1), INT(nconmax, 1), SPECIAL(nstack), INT(nuserdata, 1), INT(nkey, 1), INT(nuser_body, 1),
            INT(nuser_jnt, 1), INT(nuser_geom, 1), INT(nuser_site, 1), INT(nuser_cam, 1), INT(nuser_tendon, 1),
            INT(nuser_actuator, 1), INT(nuser_sensor, 1), END};
ROWS(Statistic) {NUM_AS(meaninertia, stat.meaninertia, 1), NUM_AS(meanmass, stat.meanmass, 1), NUM_AS(meansize, stat.meansize, 1),
                 NUM_AS(extent, stat.extent, 1), NUM_AS(center, stat.center, 3), END};

#define VF(g, a) FLOAT_AS(a, visual.g.a, 1)
#define VI(g, a) INT_AS(a, visual.g.a, 1)
#define VB(g, a) WORD_AS(a, visual.g.a, spc_wordsBool)
#define VC(g, a, n) FLOAT_AS(a, visual.g.a, n)
ROWS(VisualGlobal) {VI(global, cameraid), VB(global, orthographic), VF(global, fovy), VF(global, ipd), VF(global, azimuth),
                    VF(global, elevation), VF(global, linewidth), VF(global, glow), VF(global, realtime), VI(global, offwidth),
                    VI(global, offheight), VB(global, ellipsoidinertia), VB(global, bvactive), END};
ROWS(VisualQuality) {VI(quality, shadowsize), VI(quality, offsamples), VI(quality, numslices), VI(quality, numstacks),
                     VI(quality, numquads), END};
ROWS(VisualHeadlight) {VC(headlight, ambient, 3), VC(headlight, diffuse, 3), VC(headlight, specular, 3), VI(headlight, active), END};
ROWS(VisualMap) {VF(map, stiffness), VF(map, stiffnessrot), VF(map, force), VF(map, torque), VF(map, alpha), VF(map, fogstart),
                 VF(map, fogend), VF(map, znear), VF(map, zfar), VF(map, haze), VF(map, shadowclip), VF(map, shadowscale),
                 VF(map, actuatortendon), END};
ROWS(VisualScale) {VF(scale, forcewidth), VF(scale, contactwidth), VF(scale, contactheight), VF(scale, connect), VF(scale, com),
                   VF(scale, camera), VF(scale, light), VF(scale, selectpoint), VF(scale, jointlength), VF(scale, jointwidth),
                   VF(scale, actuatorlength), VF(scale, actuatorwidth), VF(scale, framelength), VF(scale, framewidth),
                   VF(scale, constraint), VF(scale, slidercrank), VF(scale, frustum), END};
ROWS(VisualRgba) {VC(rgba, fog, 4), VC(rgba, haze, 4), VC(rgba, force, 4), VC(rgba, inertia, 4), VC(rgba, joint, 4), VC(rgba, actuator, 4),
                  VC(rgba, actuatornegative, 4), VC(rgba, actuatorpositive, 4), VC(rgba, com, 4), VC(rgba, camera, 4), VC(rgba, light, 4),
                  VC(rgba, selectpoint, 4), VC(rgba, connect, 4), VC(rgba, contactpoint, 4), VC(rgba, contactforce, 4),
                  VC(rgba, contactfriction, 4), VC(rgba, contacttorque, 4), VC(rgba, contactgap, 4), VC(rgba, rangefinder, 4),
                  VC(rgba, constraint, 4), VC(rgba, slidercrank, 4), VC(rgba, crankbroken, 4), VC(rgba, frustum, 4), VC(rgba, bv, 4),
                  VC(rgba, bvactive, 4), END};
#undef T
// clang-format on
