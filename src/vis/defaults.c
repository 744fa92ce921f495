// What a program that draws starts from: camera, perturbation, options and figure before anybody touched them.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

// distances of the free camera from the middle of the model, in extents
#define FREE_DISTANCE 1.5
// groups below this one are shown
#define SHOWN_GROUPS 3

//---------------------------------- camera and perturbation -------------------------------------------------------

void mjv_defaultCamera(mjvCamera* cam) {
  *cam = (mjvCamera){
      .type = mjCAMERA_FREE, .fixedcamid = -1, .trackbodyid = -1, .distance = 2, .azimuth = 90, .elevation = -45};
}

void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam) {
  mjv_defaultCamera(cam);
  memcpy(cam->lookat, m->stat.center, sizeof(cam->lookat));
  cam->distance = FREE_DISTANCE * m->stat.extent;
  cam->azimuth = m->vis.global.azimuth;
  cam->elevation = m->vis.global.elevation;
  cam->orthographic = m->vis.global.orthographic;
}

void mjv_defaultPerturb(mjvPerturb* pert) {
  *pert = (mjvPerturb){.flexselect = -1, .skinselect = -1, .refquat = {1}, .scale = 1};
}

//---------------------------------- options -----------------------------------------------------------------------

void mjv_defaultOption(mjvOption* opt) {
  *opt = (mjvOption){.label = mjLABEL_NONE, .frame = mjFRAME_NONE, .bvh_depth = 1};
  mjtByte* const groups[] = {opt->geomgroup,     opt->sitegroup, opt->jointgroup, opt->tendongroup,
                             opt->actuatorgroup, opt->flexgroup, opt->skingroup};
  for (size_t k = 0; k < sizeof(groups) / sizeof(groups[0]); k++) memset(groups[k], 1, SHOWN_GROUPS);
  for (int i = 0; i < mjNVISFLAG; i++) opt->flags[i] = *mjVISSTRING[i][1] == '1';
}

//---------------------------------- figure ------------------------------------------------------------------------

// colours of the first lines; the others are spread by a low-discrepancy sequence
static const float LINES[][3] = {
    {1,    0.3f, 0.3f},
    {0.1f, 1,    0.1f},
    {0.3f, 0.3f, 1   },
    {0.1f, 1,    1   },
    {1,    0.2f, 1   },
    {1,    1,    0.1f},
    {1,    0.6f, 0.2f},
    {0.6f, 0.7f, 0.4f},
};

static void lineColour(float rgb[3], int line) {
  static const int BASE[3] = {2, 3, 5};
  const int chosen = line < (int)(sizeof(LINES) / sizeof(LINES[0]));
  for (int k = 0; k < 3; k++) {
    rgb[k] = chosen ? LINES[line][k] : (float)((double)0.1f + (double)0.8f * mju_Halton(line, BASE[k]));
  }
}

void mjv_defaultFigure(mjvFigure* fig) {
  // a figure takes a megabyte: cleared in place, never as a value on the stack
  memset(fig, 0, sizeof(*fig));
  fig->flg_legend = fig->flg_extend = 1;
  for (int axis = 0; axis < 2; axis++) {
    fig->flg_ticklabel[axis] = 1;
    fig->gridsize[axis] = 2;
    fig->range[axis][1] = 1;
  }
  fig->linewidth = 3;
  fig->gridwidth = 1;
  for (int k = 0; k < 3; k++) {
    fig->gridrgb[k] = 0.4f;
    fig->textrgb[k] = 1;
  }
  fig->figurergba[3] = fig->panergba[3] = 1;
  fig->legendrgba[3] = 0.3f;
  fig->highlightid = -1;
  snprintf(fig->xformat, sizeof(fig->xformat), "%%.0f");
  snprintf(fig->yformat, sizeof(fig->yformat), "%%.2g");
  snprintf(fig->minwidth, sizeof(fig->minwidth), "XXX");
  for (int line = 0; line < mjMAXLINE; line++) lineColour(fig->linergb[line], line);
}
