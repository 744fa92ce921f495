// State of the OpenGL renderer, for programs that use the mjr_* functions of mujoco.h.
//
// mjrContext holds what was uploaded to the GPU for one model. Programs make it with
// mjr_makeContext while an OpenGL context is current, read the sizes in it and treat the rest as
// private.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_MJRENDER_H_
#define MUJOCO_MJRENDER_H_

#include <mujoco/mjmodel.h>

#if defined(__cplusplus)
extern "C" {
#endif

//---- Constants -----------------------------------------------------------------------------------

#define mjNAUX          10    // auxiliary buffers
#define mjMAXTEXTURE    1000  // textures
#define mjMAXMATERIAL   1000  // materials with textures

//---- Enumerations --------------------------------------------------------------------------------

// Where an overlay is drawn.
typedef enum mjtGridPos_ {
  mjGRID_TOPLEFT      = 0,  // top left corner
  mjGRID_TOPRIGHT,          // top right corner
  mjGRID_BOTTOMLEFT,        // bottom left corner
  mjGRID_BOTTOMRIGHT,       // bottom right corner
  mjGRID_TOP,               // middle of the top edge
  mjGRID_BOTTOM,            // middle of the bottom edge
  mjGRID_LEFT,              // middle of the left edge
  mjGRID_RIGHT              // middle of the right edge
} mjtGridPos;

// Buffers to draw into.
typedef enum mjtFramebuffer_ {
  mjFB_WINDOW         = 0,  // the window
  mjFB_OFFSCREEN            // the offscreen buffer
} mjtFramebuffer;

// Range of depth images.
typedef enum mjtDepthMap_ {
  mjDEPTH_ZERONEAR    = 0,  // 0 at the near plane, 1 at the far plane
  mjDEPTH_ZEROFAR     = 1   // 1 at the near plane, 0 at the far plane: finer far away
} mjtDepthMap;

// Font sizes, in percent.
typedef enum mjtFontScale_ {
  mjFONTSCALE_50      = 50,   // half size
  mjFONTSCALE_100     = 100,  // normal size
  mjFONTSCALE_150     = 150,  // one and a half
  mjFONTSCALE_200     = 200,  // double
  mjFONTSCALE_250     = 250,  // two and a half
  mjFONTSCALE_300     = 300   // triple
} mjtFontScale;

// Fonts.
typedef enum mjtFont_ {
  mjFONT_NORMAL       = 0,  // plain
  mjFONT_SHADOW,            // with a shadow, readable on any background
  mjFONT_BIG                // big, for user interfaces
} mjtFont;

//---- Types ---------------------------------------------------------------------------------------

// A rectangle in pixels; the origin is at the bottom left of the buffer.
struct mjrRect_ {
  int left;    // left edge
  int bottom;  // bottom edge
  int width;   // width
  int height;  // height
};
typedef struct mjrRect_ mjrRect;

// What the renderer keeps for one model.
struct mjrContext_ {
  // copied from mjVisual
  float lineWidth;                    // width of lines
  float shadowClip;                   // reach of directional shadows
  float shadowScale;                  // fraction of a spot's cone with shadows
  float fogStart;                     // fog begins
  float fogEnd;                       // fog is full
  float fogRGBA[4];                   // colour of fog
  int shadowSize;                     // side of the shadow map in pixels
  int offWidth;                       // width of the offscreen buffer
  int offHeight;                      // its height
  int offSamples;                     // its samples per pixel

  // given when made
  int fontScale;                      // mjtFontScale
  int auxWidth[mjNAUX];               // widths of auxiliary buffers
  int auxHeight[mjNAUX];              // their heights
  int auxSamples[mjNAUX];             // their samples per pixel

  // offscreen buffer (OpenGL names; _r: resolved to one sample)
  unsigned int offFBO;                // framebuffer
  unsigned int offFBO_r;              // framebuffer, resolved
  unsigned int offColor;              // colour
  unsigned int offColor_r;            // colour, resolved
  unsigned int offDepthStencil;       // depth and stencil
  unsigned int offDepthStencil_r;     // depth and stencil, resolved

  // shadow map
  unsigned int shadowFBO;             // framebuffer
  unsigned int shadowTex;             // texture

  // auxiliary buffers
  unsigned int auxFBO[mjNAUX];        // framebuffers
  unsigned int auxFBO_r[mjNAUX];      // framebuffers, resolved
  unsigned int auxColor[mjNAUX];      // colour
  unsigned int auxColor_r[mjNAUX];    // colour, resolved

  // materials, copied from the model
  int mat_texid[mjMAXMATERIAL*mjNTEXROLE];  // texture of each role, or -1
  int mat_texuniform[mjMAXMATERIAL];  // 1: texture repeats per unit of space
  float mat_texrepeat[mjMAXMATERIAL*2];  // repetitions in x and y

  // textures
  int ntexture;                       // how many
  int textureType[mjMAXTEXTURE];      // mjtTexture
  unsigned int texture[mjMAXTEXTURE];  // OpenGL names

  // display lists: first of each kind
  unsigned int basePlane;             // planes
  unsigned int baseMesh;              // meshes and their hulls
  unsigned int baseHField;            // height fields
  unsigned int baseBuiltin;           // built-in shapes, per quality
  unsigned int baseFontNormal;        // plain font
  unsigned int baseFontShadow;        // font with shadow
  unsigned int baseFontBig;           // big font

  // display lists: how many
  int rangePlane;                     // planes
  int rangeMesh;                      // meshes and their hulls
  int rangeHField;                    // height fields
  int rangeBuiltin;                   // built-in shapes
  int rangeFont;                      // characters of a font

  // skins: buffers per skin
  int nskin;                          // how many
  unsigned int* skinvertVBO;          // vertices
  unsigned int* skinnormalVBO;        // normals
  unsigned int* skintexcoordVBO;      // texture coordinates
  unsigned int* skinfaceVBO;          // faces

  // sizes of characters in pixels
  int charWidth[127];                 // widths, plain font
  int charWidthBig[127];              // widths, big font
  int charHeight;                     // height, plain font
  int charHeightBig;                  // height, big font

  // what OpenGL offers
  int glInitialized;                  // 1: functions are loaded
  int windowAvailable;                // 1: there is a window
  int windowSamples;                  // its samples per pixel
  int windowStereo;                   // 1: it has left and right buffers
  int windowDoublebuffer;             // 1: it is double buffered

  // state
  int currentBuffer;                  // mjtFramebuffer in use

  int readPixelFormat;                // OpenGL's format for mjr_readPixels, GL_RGB unless changed

  int readDepthMap;                   // mjtDepthMap for mjr_readPixels
};
typedef struct mjrContext_ mjrContext;

#if defined(__cplusplus)
}
#endif
#endif
