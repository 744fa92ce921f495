// The version of this library and the reference version that it is compatible with.
#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

int mj_version(void) {
  return mjVERSION_HEADER;
}

const char* mj_versionString(void) {
  return "3.5.0";
}

const char* sn_version(void) {
  return SINEW_VERSION;
}
