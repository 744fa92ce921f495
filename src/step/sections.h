// Private sections of all stages: see model/private.h.
#pragma once

#include "model/private.h"

// bytes that each stage wants for this model
void stp_sectionSizes(const mjModel* m, size_t size[MDL_NSECTION]);

// lets each stage fill its zeroed section
void stp_sectionInit(const mjModel* m, const mjData* d);
