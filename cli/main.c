// The `sinew` program: dispatches to one subcommand per file.
#include <stdio.h>

#include <mujoco/mujoco.h>

int main(void) {
  printf("sinew, compatible with MuJoCo %d\n", mjVERSION_HEADER);
  return 0;
}
