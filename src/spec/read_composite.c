// <composite>: several bodies, joints and geoms from one element.
#include "spec/read.h"

void spc_readComposite(SpcReader* r, const XmlNode* node, SpcBody* body, SpcFrame* frame, SpcDefault* childclass) {
  (void)body, (void)frame, (void)childclass;
  spc_readFail(r, node, "composite is not supported yet");
}
