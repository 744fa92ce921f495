// The committed numbers as static assertions about whichever headers are included: ours when the test is built, the
// reference's when the test compiles this file against them.
#include <mujoco/mujoco.h>
#include <stddef.h>

#define STRUCT(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type);
#define FIELD(type, field, offset, bytes)                                           \
  _Static_assert(offsetof(type, field) == (offset), "offset of " #type "." #field); \
  _Static_assert(sizeof(((type*)0)->field) == (bytes), "size of " #type "." #field);
#define ENUM(name, value)     _Static_assert((int)(name) == (value), "value of " #name);
#define VARIABLE(name, bytes) _Static_assert(sizeof(name) == (bytes), "size of " #name);
#include "layout.inc"
#undef STRUCT
#undef FIELD
#undef ENUM
#undef VARIABLE
