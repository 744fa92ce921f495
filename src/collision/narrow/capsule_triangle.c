// Capsule and triangle on the CPU.
#include "collision/narrow/capsule_triangle_body.h"
