// Taking elements out of a model.
#pragma once

#include "spec/element.h"

// A frame with all that stands in it, and with what refers to that from outside the tree. Keyframes are not looked at.
void spc_removeFrame(SpcModel* model, SpcFrame* frame);
