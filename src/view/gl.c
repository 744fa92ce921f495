// Finding the functions of OpenGL.
#include "view/gl.h"

ViwGl vgl;

const char* viw_loadGl(ViwLookup lookup) {
#define FIND(result, name, parameters)                 \
  vgl.name = (result(*) parameters)lookup("gl" #name); \
  if (!vgl.name) return "gl" #name;
  VIW_EACH_FUNCTION(FIND)
#undef FIND
#define TRY(result, name, parameters) vgl.name = (result(*) parameters)lookup("gl" #name);
  VIW_EACH_OPTIONAL(TRY)
#undef TRY
  return NULL;
}
