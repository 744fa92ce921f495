// Box and triangle on the CPU.
#include "collision/narrow/box_triangle_body.h"
