// Sphere and triangle on the CPU.
#include "collision/narrow/sphere_triangle_body.h"
