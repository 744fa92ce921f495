// What the tests of physics share: models of flexes, and messages of what does not load.
#pragma once

#include <sinew/physics.h>
#include <stdio.h>

#include "support/model.h"
#include "support/near.h"

// a sheet and a cube of vertices that move freely, with room for attributes of the flex and of the option
#define SHEET(option, flex)                                                                                \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option " option                                                      \
  "/><worldbody><body name=\"base\">"                                                                      \
  "<flexcomp name=\"sheet\" type=\"grid\" dim=\"2\" count=\"4 4 1\" spacing=\".1 .1 .1\" radius=\".001\" " \
  "mass=\".1\" " flex                                                                                      \
  "><contact selfcollide=\"none\" contype=\"0\" conaffinity=\"0\"/>"                                       \
  "<elasticity young=\"1e5\" poisson=\".3\" thickness=\".01\" "                                            \
  "elastic2d=\"both\"/></flexcomp></body></worldbody></mujoco>"

#define CUBE(option, flex, elasticity)                                                                    \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option " option                                                     \
  "/><worldbody><body name=\"base\">"                                                                     \
  "<flexcomp name=\"cube\" type=\"grid\" dim=\"3\" count=\"3 3 3\" spacing=\".1 .1 .1\" radius=\".001\" " \
  "mass=\".1\" " flex                                                                                     \
  "><contact selfcollide=\"none\" contype=\"0\" conaffinity=\"0\"/>"                                      \
  "<elasticity " elasticity "/></flexcomp></body></worldbody></mujoco>"

// why an MJCF text does not load; "": it does
static inline const char* whyNot(const char* xml) {
  static char error[2000];
  error[0] = 0;
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (spec && !m) snprintf(error, sizeof(error), "%s", mjs_getError(spec));
  if (m) error[0] = 0;
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return error;
}
