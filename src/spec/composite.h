// What a cable and its skin share.
#pragma once

#include "spec/element.h"

enum {
  SPC_CABLE_NAME = 100,    // bytes for a name that a cable gives
  SPC_MOST_SUBGRID = 100,  // of a cable's skin: vertices grow with its square
};

typedef struct {
  const char* prefix;    // of all names
  int count;             // vertices of the cable: one more than links
  int dim;               // directions in which there is more than one element
  double box[3];         // half sizes of the links
  const char* material;  // of the skin, "": none
  float rgba[4];
  int texcoord;  // 1: the skin has texture coordinates
  int group;
  int subgrid;  // further vertices of the skin between those of the cable
} SpcCable;

// name of the body (B), joint (J) or site (S) of link i: the first and the last have names of their own
const char* spc_cableName(const SpcCable* cable, char what, int i, char name[SPC_CABLE_NAME]);

// adds the skin of a cable of boxes; its bones are the links
void spc_cableSkin(SpcModel* model, const SpcCable* cable);
