// The MJCF schema: which elements and attributes there are, what they hold and where it goes.
//
// One table drives the reader, the writer, the defaults, the checks and the error messages. A row says: the attribute's
// name, how its text is read, how many values it takes, and the offset of the member it fills in the element's struct
// (an mjs struct, or mjSpec for the sections that set options). Attributes whose meaning needs more than a row
// (orientations, transmission targets, sensor references …) have type SPC_SPECIAL and are read by the element's reader.
#pragma once

#include "spec/element.h"
#include "xml/tree.h"

typedef struct {
  const char* word;
  int value;
} SpcWord;

typedef enum {
  SPC_A_END,       // closes a list of attributes
  SPC_A_SPECIAL,   // read by the element's own reader
  SPC_A_NAME,      // the element's name
  SPC_A_DOUBLE,    // double[max]; fewer values than max are allowed down to min
  SPC_A_FLOAT,     // float[max]
  SPC_A_INT,       // int[max]
  SPC_A_WORD,      // int, one of the words
  SPC_A_WORDBYTE,  // mjtByte, one of the words
  SPC_A_WORDNUM,   // mjtNum, one of the words
  SPC_A_BITS,      // int, several of the words or'ed
  SPC_A_CHARS,     // char[max]
  SPC_A_TEXT,      // string
  SPC_A_TEXTS,     // words as a vector of strings
  SPC_A_DOUBLES,   // vector of doubles
  SPC_A_FLOATS,    // vector of floats
  SPC_A_INTS,      // vector of ints
} SpcAttributeType;

enum {
  SPC_NODEFAULT = 1,  // not allowed in a default class
  SPC_REQUIRED = 2,   // must be given (outside default classes)
  SPC_ANGLE = 4,      // degrees or radians, as the compiler section says: converted by the compile stage
};

typedef struct {
  const char* name;
  unsigned char type;  // SpcAttributeType
  unsigned char min, max;
  unsigned char flags;
  unsigned short offset;
  const SpcWord* words;  // ends with NULL
} SpcAttributeRow;

struct SpcReader;

// one element of the schema
typedef struct SpcRule {
  const char* name;
  char occurs;  // '!' once, '?' at most once, '*' any number
  const SpcAttributeRow* attributes;
  const struct SpcRule* children;  // ends with a NULL name; NULL: none
} SpcRule;

// ---- schema.c
extern const SpcRule spc_root;            // <mujoco>
extern const SpcRule spc_bodyRules[];     // what may stand in a body, frame or replicate
extern const SpcRule spc_defaultRules[];  // what may stand in a default class

// ---- schema_tables.c: rows of the kinds, in the order in which they are written
extern const SpcAttributeRow spc_rowsBody[], spc_rowsInertial[], spc_rowsJoint[], spc_rowsFreejoint[], spc_rowsGeom[],
    spc_rowsSite[], spc_rowsCamera[], spc_rowsLight[], spc_rowsFrame[], spc_rowsReplicate[], spc_rowsAttach[];
extern const SpcAttributeRow spc_rowsMesh[], spc_rowsHfield[], spc_rowsSkin[], spc_rowsTexture[], spc_rowsMaterial[],
    spc_rowsLayer[], spc_rowsModel[], spc_rowsBone[];
extern const SpcAttributeRow spc_rowsFlex[], spc_rowsFlexcomp[], spc_rowsFlexContact[], spc_rowsFlexEdge[],
    spc_rowsElasticity[];
extern const SpcAttributeRow spc_rowsPair[], spc_rowsExclude[], spc_rowsConnect[], spc_rowsWeld[], spc_rowsEqJoint[],
    spc_rowsEqTendon[], spc_rowsEqFlex[];
extern const SpcAttributeRow spc_rowsSpatial[], spc_rowsFixed[];
extern const SpcAttributeRow spc_rowsGeneral[], spc_rowsMotor[], spc_rowsPosition[], spc_rowsVelocity[],
    spc_rowsIntvelocity[], spc_rowsDamper[], spc_rowsCylinder[], spc_rowsMuscle[], spc_rowsAdhesion[],
    spc_rowsActPlugin[];
extern const SpcAttributeRow spc_rowsNumeric[], spc_rowsTextElement[], spc_rowsTuple[], spc_rowsTupleElement[],
    spc_rowsKey[];
extern const SpcAttributeRow spc_rowsCompiler[], spc_rowsLengthrange[], spc_rowsOption[], spc_rowsFlag[],
    spc_rowsSize[], spc_rowsStatistic[], spc_rowsVisualGlobal[], spc_rowsVisualQuality[], spc_rowsVisualHeadlight[],
    spc_rowsVisualMap[], spc_rowsVisualScale[], spc_rowsVisualRgba[];

// keyword maps shared with the readers
extern const SpcWord spc_wordsBool[], spc_wordsAuto[], spc_wordsEquality[], spc_wordsTexrole[], spc_wordsConData[],
    spc_wordsReduce[], spc_wordsRayData[], spc_wordsStage[], spc_wordsDataType[], spc_wordsLightType[],
    spc_wordsFluidShape[], spc_wordsGeomType[], spc_wordsJointType[], spc_wordsInterp[], spc_wordsMeshBuiltin[],
    spc_wordsCurve[];

// the value of a word, or -1
int spc_wordValue(const SpcWord* words, const char* word);
// the word for a value, or NULL
const char* spc_wordName(const SpcWord* words, int value);
