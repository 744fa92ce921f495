// Plugins of an editable model, decoders that make one, and small facts about elements.
#include <stdio.h>
#include <string.h>

#include "spec/element.h"

int mjs_activatePlugin(mjSpec* s, const char* name) {
  SpcModel* model = spc_model(s);
  int slot = -1;
  if (!mjp_getPlugin(name, &slot)) return -1;
  for (size_t i = 0; i < spc_textsCount(&model->plugins); i++) {
    if (spc_textIs(spc_textsAt(&model->plugins, i), name)) return 0;
  }
  spc_textsAppend(&model->plugins, name);
  return 0;
}

mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs) {
  const mjpDecoder* decoder = mjp_findDecoder(resource, content_type);
  if (!decoder) {
    mju_warning("mju_decodeResource: no decoder for '%s', content type '%s'", resource->name,
                content_type ? content_type : "");
    return NULL;
  }
  return decoder->decode(resource, vfs);
}
