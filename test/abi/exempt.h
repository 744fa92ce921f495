// Functions that arguments_test.c does not call with bad arguments, and why.
#pragma once

// clang-format off

// no arguments
static const char* const takesNothing[] = {
    "mj_getCache", "mj_freeLastXML", "mj_resetCallbacks", "mj_makeSpec", "mj_version", "mj_versionString",
    "mjr_finish", "mjr_getError", "mju_clearHandlers", "mjp_pluginCount", "mjp_resourceProviderCount", NULL};

// numbers, and arrays whose lengths the caller states or the name tells: any number is defined, lengths cannot be
// checked
static const char* const takesNumbers[] = {
    "mj_defaultSolRefImp", "mju_printMat", "mju_printMatSparse", "mj_loadAllPluginLibraries", "mju_rayGeom",
    "mju_raySkin", "mjv_alignToCamera", "mjr_rectangle", "mju_warning", "mju_warning_i", "mju_warning_s",
    "mju_writeLog", "mju_zero3", "mju_copy3", "mju_scl3", "mju_add3", "mju_sub3", "mju_addTo3", "mju_subFrom3",
    "mju_addToScl3", "mju_addScl3", "mju_normalize3", "mju_norm3", "mju_dot3", "mju_dist3", "mju_mulMatVec3",
    "mju_mulMatTVec3", "mju_cross", "mju_zero4", "mju_unit4", "mju_copy4", "mju_normalize4", "mju_zero", "mju_fill",
    "mju_copy", "mju_sum", "mju_L1", "mju_scl", "mju_add", "mju_sub", "mju_addTo", "mju_subFrom", "mju_addToScl",
    "mju_addScl", "mju_normalize", "mju_norm", "mju_dot", "mju_mulMatVec", "mju_mulMatTVec", "mju_mulVecMatVec",
    "mju_transpose", "mju_symmetrize", "mju_eye", "mju_mulMatMat", "mju_mulMatMatT", "mju_mulMatTMat",
    "mju_sqrMatTD", "mju_transformSpatial", "mju_dense2sparse", "mju_sparse2dense", "mju_rotVecQuat", "mju_negQuat",
    "mju_mulQuat", "mju_mulQuatAxis", "mju_axisAngle2Quat", "mju_quat2Vel", "mju_subQuat", "mju_quat2Mat",
    "mju_mat2Quat", "mju_derivQuat", "mju_quatIntegrate", "mju_quatZ2Vec", "mju_mat2Rot", "mju_euler2Quat",
    "mju_mulPose", "mju_negPose", "mju_trnVecPose", "mju_cholFactor", "mju_cholSolve", "mju_cholUpdate",
    "mju_cholFactorBand", "mju_cholSolveBand", "mju_band2Dense", "mju_dense2Band", "mju_bandMulMatVec",
    "mju_bandDiag", "mju_eig3", "mju_boxQP", "mju_boxQPmalloc", "mju_muscleGain", "mju_muscleBias",
    "mju_muscleDynamics", "mju_encodePyramid", "mju_decodePyramid", "mju_springDamper", "mju_min", "mju_max",
    "mju_clip", "mju_sign", "mju_round", "mju_writeNumBytes", "mju_isBad", "mju_isZero", "mju_standardNormal",
    "mju_f2n", "mju_n2f", "mju_d2n", "mju_n2d", "mju_insertionSort", "mju_insertionSortInt", "mju_Halton",
    "mju_strncpy", "mju_sigmoid", "mjd_subQuat", "mjd_quatIntegrate", "mjp_getPlugin", "mjp_getResourceProvider",
    "mju_threadPoolCreate", NULL};

// numbers of objects, or of vectors, that are not checked, here as in the reference: they are called in loops
static const char* const takesIds[] = {
    "mj_solveM", "mj_solveM2", "mj_jac", "mj_jacBody", "mj_jacBodyCom", "mj_jacSubtreeCom", "mj_jacGeom",
    "mj_jacSite", "mj_jacPointAxis", "mj_jacDot", "mj_angmomMat", "mj_applyFT", "mj_local2Global", "mj_ray",
    "mj_multiRay", "mj_rayFlex", "mjv_select", "mjui_addToSection", "mjui_update", "mjc_getSDF", NULL};

// objects that must be what they are (a model and its data, a spec, a scene, a context), with flags and numbers that
// are all defined
static const char* const takesObjects[] = {
    "mj_deleteVFS", "mj_getCacheSize", "mj_getCacheCapacity", "mj_setCacheCapacity", "mj_clearCache", "mj_compile",
    "mj_copyBack", "mj_recompile", "mju_getXMLDependencies", "mj_step", "mj_step1", "mj_step2", "mj_forward",
    "mj_inverse", "mj_forwardSkip", "mj_inverseSkip", "mj_defaultLROpt", "mj_defaultOption", "mj_defaultVisual",
    "mj_deleteModel", "mj_sizeModel", "mj_resetData", "mj_resetDataDebug", "mj_markStack", "mj_freeStack",
    "mj_deleteData", "mj_setConst", "mj_copySpec", "mj_deleteSpec", "mjs_activatePlugin", "mjs_setDeepCopy",
    "mj_printFormattedModel", "mj_printModel", "mj_printFormattedData", "mj_printData", "mj_printScene",
    "mj_printFormattedScene", "mj_fwdKinematics", "mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation",
    "mj_fwdAcceleration", "mj_fwdConstraint", "mj_Euler", "mj_RungeKutta", "mj_implicit", "mj_invPosition",
    "mj_invVelocity", "mj_invConstraint", "mj_compareFwdInv", "mj_sensorPos", "mj_sensorVel", "mj_sensorAcc",
    "mj_energyPos", "mj_energyVel", "mj_checkPos", "mj_checkVel", "mj_checkAcc", "mj_kinematics", "mj_comPos",
    "mj_camlight", "mj_flex", "mj_tendon", "mj_transmission", "mj_crb", "mj_makeM", "mj_factorM", "mj_comVel",
    "mj_passive", "mj_subtreeVel", "mj_rne", "mj_rnePostConstraint", "mj_collision", "mj_makeConstraint",
    "mj_island", "mj_projectConstraint", "mj_referenceConstraint", "mj_constraintUpdate", "mj_addContact",
    "mj_isPyramidal", "mj_isSparse", "mj_isDual", "mj_mulJacVec", "mj_mulJacTVec", "mj_fullM", "mj_mulM",
    "mj_mulM2", "mj_addM", "mj_differentiatePos", "mj_integratePos", "mj_normalizeQuat", "mj_getTotalmass",
    "mj_setTotalmass", "mjv_defaultCamera", "mjv_defaultFreeCamera", "mjv_defaultPerturb", "mjv_room2model",
    "mjv_model2room", "mjv_cameraInModel", "mjv_cameraInRoom", "mjv_frustumHeight", "mjv_moveModel",
    "mjv_initPerturb", "mjv_applyPerturbPose", "mjv_applyPerturbForce", "mjv_averageCamera", "mjv_defaultOption",
    "mjv_defaultFigure", "mjv_defaultScene", "mjv_freeScene", "mjv_updateScene", "mjv_addGeoms", "mjv_makeLights",
    "mjv_updateCamera", "mjv_updateSkin", "mjv_cameraFrame", "mjv_cameraFrustum", "mjr_defaultContext",
    "mjr_freeContext", "mjr_restoreBuffer", "mjr_readPixels", "mjr_drawPixels", "mjr_blitBuffer", "mjr_maxViewport",
    "mjr_label", "mjr_figure", "mjr_render", "mjui_add", "mjui_resize", "mjui_event", "mjui_render", "mju_free",
    "mjs_getError", "mjs_isWarning", "mjc_distance", "mjc_gradient", "mjd_transitionFD", "mjd_inverseFD",
    "mjp_defaultPlugin", "mjp_registerPlugin", "mjp_defaultResourceProvider", "mjp_registerResourceProvider",
    "mjp_registerDecoder", "mjp_defaultDecoder", "mjp_findDecoder", "mju_getResourceDir", "mju_isModifiedResource",
    "mju_decodeResource", "mju_threadPoolEnqueue", "mju_threadPoolDestroy", "mju_defaultTask", "mju_taskJoin",
    "mjs_addBody", "mjs_addSite", "mjs_addJoint", "mjs_addFreeJoint", "mjs_addGeom", "mjs_addCamera",
    "mjs_addLight", "mjs_addFrame", "mjs_delete", "mjs_addActuator", "mjs_addSensor", "mjs_addFlex", "mjs_addPair",
    "mjs_addExclude", "mjs_addEquality", "mjs_addTendon", "mjs_wrapSite", "mjs_wrapGeom", "mjs_wrapJoint",
    "mjs_wrapPulley", "mjs_addNumeric", "mjs_addText", "mjs_addTuple", "mjs_addKey", "mjs_addPlugin",
    "mjs_addDefault", "mjs_setToMotor", "mjs_setToPosition", "mjs_setToIntVelocity", "mjs_setToVelocity",
    "mjs_setToDamper", "mjs_setToCylinder", "mjs_setToMuscle", "mjs_setToAdhesion", "mjs_addMesh", "mjs_addHField",
    "mjs_addSkin", "mjs_addTexture", "mjs_addMaterial", "mjs_getSpec", "mjs_findSpec", "mjs_findBody",
    "mjs_findChild", "mjs_getParent", "mjs_getFrame", "mjs_findFrame", "mjs_getDefault", "mjs_findDefault",
    "mjs_getSpecDefault", "mjs_getId", "mjs_nextChild", "mjs_nextElement", "mjs_getWrapTarget",
    "mjs_getWrapSideSite", "mjs_getWrapDivisor", "mjs_getWrapCoef", "mjs_setBuffer", "mjs_setString",
    "mjs_setStringVec", "mjs_appendString", "mjs_setInt", "mjs_appendIntVec", "mjs_setFloat", "mjs_appendFloatVec",
    "mjs_setDouble", "mjs_setPluginAttributes", "mjs_getName", "mjs_getString", "mjs_getDouble", "mjs_getWrapNum",
    "mjs_getPluginAttributes", "mjs_setDefault", "mjs_setFrame", "mjs_resolveOrientation", "mjs_bodyToFrame",
    "mjs_setUserValue", "mjs_setUserValueWithCleanup", "mjs_getUserValue", "mjs_deleteUserValue", "mjs_sensorDim",
    "mjs_defaultSpec", "mjs_defaultOrientation", "mjs_defaultBody", "mjs_defaultFrame", "mjs_defaultJoint",
    "mjs_defaultGeom", "mjs_defaultSite", "mjs_defaultCamera", "mjs_defaultLight", "mjs_defaultFlex",
    "mjs_defaultMesh", "mjs_defaultHField", "mjs_defaultSkin", "mjs_defaultTexture", "mjs_defaultMaterial",
    "mjs_defaultPair", "mjs_defaultEquality", "mjs_defaultTendon", "mjs_defaultActuator", "mjs_defaultSensor",
    "mjs_defaultNumeric", "mjs_defaultText", "mjs_defaultTuple", "mjs_defaultKey", "mjs_defaultPlugin",
    "mjs_asBody", "mjs_asGeom", "mjs_asJoint", "mjs_asSite", "mjs_asCamera", "mjs_asLight", "mjs_asFrame",
    "mjs_asActuator", "mjs_asSensor", "mjs_asFlex", "mjs_asPair", "mjs_asEquality", "mjs_asExclude", "mjs_asTendon",
    "mjs_asNumeric", "mjs_asText", "mjs_asTuple", "mjs_asKey", "mjs_asMesh", "mjs_asHField", "mjs_asSkin",
    "mjs_asTexture", "mjs_asMaterial", "mjs_asPlugin", NULL};
