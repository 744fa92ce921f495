// Read before every file by the static analyzer only (scripts/lint.sh): handlers of errors must not return, see
// docs/errors.md, so what follows an error is not reached.
#include <mujoco/mujoco.h>

void mju_error(const char* msg, ...) __attribute__((analyzer_noreturn));
