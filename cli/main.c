// The `sinew` program. For now it says what this build is; subcommands get a file each.
#include <mujoco/mujoco.h>
#include <stdio.h>

#include "math/simd/kernels.h"

int main(void) {
  printf("sinew %s, compatible with MuJoCo %s\n", SINEW_VERSION, mj_versionString());
  printf("kernels: %s\n", mth_kernelName());
  return 0;
}
