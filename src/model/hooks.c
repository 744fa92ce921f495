// Hooks live in a section of mjData's private block, so they are copied and freed with it.
#include "model/hooks.h"

size_t mdl_hooksSize(const mjModel* m) {
  (void)m;
  return sizeof(snHooks);
}

void mdl_hooksInit(const mjModel* m, void* memory) {
  (void)m;
  *(snHooks*)memory = (snHooks){0};
}

void sn_setHooks(mjData* d, const snHooks* hooks) {
  *(snHooks*)mdl_section(d, MDL_HOOKS) = hooks ? *hooks : (snHooks){0};
}

const snHooks* sn_getHooks(const mjData* d) {
  return mdl_hooks(d);
}
