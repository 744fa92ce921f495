// The table of stages that keep private memory in mjData.
#include "step/data.h"

#include <string.h>

#include "collision/continuous.h"
#include "collision/exact.h"
#include "collision/section.h"
#include "dynamics/plan.h"
#include "kinematics/plan.h"
#include "model/hooks.h"
#include "physics/physics.h"
#include "physics/stick.h"
#include "sleep/sleep.h"
#include "base/assert.h"
#include "model/invariants.h"

typedef struct {
  MdlSection which;
  size_t (*size)(const mjModel* m);
  void (*init)(const mjModel* m, void* memory);
} Section;

// one row per stage; the last row only ends the table
static const Section SECTIONS[] = {
    {MDL_SLEEP,      slp_sectionSize,    slp_sectionInit   },
    {MDL_KINEMATICS, kin_sectionSize,    kin_sectionInit   },
    {MDL_DYNAMICS,   dyn_sectionSize,    dyn_sectionInit   },
    {MDL_COLLISION,  col_sectionSize,    col_sectionInit   },
    {MDL_HOOKS,      mdl_hooksSize,      mdl_hooksInit     },
    {MDL_PHYSICS,    phy_sectionSize,    phy_sectionInit   },
    {MDL_ANCHORS,    phy_stickSize,      phy_stickInit     },
    {MDL_EXACT,      col_exactSize,      col_exactInit     },
    {MDL_CONTINUOUS, col_continuousSize, col_continuousInit},
    {MDL_NSECTION,   NULL,               NULL              },
};

void stp_sectionSizes(const mjModel* m, size_t size[MDL_NSECTION]) {
  memset(size, 0, MDL_NSECTION * sizeof(size_t));
  for (const Section* s = SECTIONS; s->size; s++) size[s->which] = s->size(m);
}

void stp_sectionInit(const mjModel* m, const mjData* d) {
  for (const Section* s = SECTIONS; s->size; s++) {
    void* const memory = mdl_section(d, s->which);
    if (memory) s->init(m, memory);
  }
  BAS_CHECK(mdl_assertBlock(d));
  BAS_CHECK(kin_assertPlan(m, d));
  BAS_CHECK(dyn_assertPlan(m, d));
}
