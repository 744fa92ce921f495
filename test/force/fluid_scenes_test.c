// Fluid forces on one scene per property, read from text by our own loader: forces, trajectories and coefficients of
// the reference, and closed forms. The numbers in FORCES and FALLS were printed by the reference (3.5.0) with 17
// digits; where it is at hand the test asks it again. T… are the numbers of the specification's test plan. That plan
// writes velocities with the rotation first, qvel has it last: both readings are here.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "force/fluid.h"
#include "support/model.h"
#include "support/oracle.h"

// ---------------------------------------------------------------- scenes

#define SPHERE                            \
  "<option density='1.2' viscosity='0'/>" \
  "<worldbody><body><freejoint/><geom type='sphere' size='.1' mass='1'/></body></worldbody>"
#define SMALL                           \
  "<option density='0' viscosity='1'/>" \
  "<worldbody><body><freejoint/><geom type='sphere' size='.01' mass='.001'/></body></worldbody>"
#define WINDY_BOX                                      \
  "<option density='1.2' viscosity='0' wind='5 0 0'/>" \
  "<worldbody><body><freejoint/><geom type='box' size='.1 .05 .025' mass='1'/></body></worldbody>"
#define FLUID_SPHERE                      \
  "<option density='1.2' viscosity='0'/>" \
  "<worldbody><body><freejoint/><geom type='sphere' size='.1' mass='1' fluidshape='ellipsoid'/></body></worldbody>"
#define ELLIPSOID                                                                   \
  "<option density='1.2' viscosity='0'/>"                                           \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define WITHOUT_LIFT                                                                                       \
  "<option density='1.2' viscosity='.001'/>"                                                               \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1' fluidshape='ellipsoid' " \
  "fluidcoef='1 .5 2 0 0'/></body></worldbody>"
#define NO_MEDIUM                       \
  "<option density='0' viscosity='0'/>" \
  "<worldbody><body><freejoint/><geom type='sphere' size='.1' mass='1'/></body></worldbody>"
#define MIXED                                                                                                        \
  "<option density='1.2' viscosity='0'/>"                                                                            \
  "<worldbody><body><freejoint/><geom type='sphere' size='.05' mass='.5'/><geom type='ellipsoid' size='.1 .05 .02' " \
  "mass='.5' fluidshape='ellipsoid' pos='.2 0 0'/></body></worldbody>"
#define TWO_CAPSULES                                                                                                \
  "<option density='1.2' viscosity='.001'/>"                                                                        \
  "<worldbody><body><freejoint/><geom type='capsule' size='.05 .15' mass='.5' pos='-.1 0 0'/><geom type='capsule' " \
  "size='.05 .15' mass='.5' pos='.1 0 0'/></body></worldbody>"
#define VISCOUS_ELLIPSOID                                                           \
  "<option density='1.2' viscosity='.001'/>"                                        \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define TWO_BODIES                                                                                    \
  "<option density='1.2' viscosity='0'/>"                                                             \
  "<worldbody><body><freejoint/><geom type='box' size='.1 .05 .025' mass='1'/></body><body pos='1 0 " \
  "1'><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1' fluidshape='ellipsoid'/></body></worldbody>"
#define BY_DEFAULT                                                                         \
  "<option density='1.2' viscosity='0'/><default><geom fluidshape='ellipsoid'/></default>" \
  "<worldbody><body><freejoint/><geom type='sphere' size='.1' mass='1'/></body></worldbody>"
#define CYLINDER                                                                \
  "<option density='1.2' viscosity='0'/>"                                       \
  "<worldbody><body><freejoint/><geom type='cylinder' size='.05 .15' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define OFF_CENTER                           \
  "<option density='1.2' viscosity='.001'/>" \
  "<worldbody><body><freejoint/><geom type='box' size='.1 .05 .025' mass='1' pos='.1 .05 0'/></body></worldbody>"
#define ONLY_VISCOUS                                                                \
  "<option density='0' viscosity='1'/>"                                             \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define SLANTED_WIND                                   \
  "<option density='1.2' viscosity='0' wind='3 4 0'/>" \
  "<worldbody><body><freejoint/><geom type='box' size='.1 .05 .025' mass='1'/></body></worldbody>"
#define CAPSULE                                                                \
  "<option density='1.2' viscosity='0'/>"                                      \
  "<worldbody><body><freejoint/><geom type='capsule' size='.05 .15' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define TWO_ELLIPSOIDS                                                                                                \
  "<option density='1.2' viscosity='0'/>"                                                                             \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='.5' fluidshape='ellipsoid' pos='-.15 " \
  "0 0'/><geom type='ellipsoid' size='.08 .04 .03' mass='.5' fluidshape='ellipsoid' pos='.15 0 "                      \
  "0'/></body></worldbody>"
#define OBLATE                                                                     \
  "<option density='1.2' viscosity='0'/>"                                          \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .1 .03' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define WINDY_ELLIPSOID                                                             \
  "<option density='1.2' viscosity='0' wind='3 0 0'/>"                              \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define VISCOUS_BOX                          \
  "<option density='1.2' viscosity='.001'/>" \
  "<worldbody><body><freejoint/><geom type='box' size='.1 .05 .025' mass='1'/></body></worldbody>"
#define COEFFICIENTS_ONLY                 \
  "<option density='1.2' viscosity='0'/>" \
  "<worldbody><body><freejoint/><geom type='sphere' size='.1' mass='1' fluidcoef='1 .5 2 .5 .5'/></body></worldbody>"
#define TURNED                                                                                           \
  "<option density='1.2' viscosity='.001'/>"                                                             \
  "<worldbody><body quat='.707 0 .707 0'><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define MASSLESS                             \
  "<option density='1.2' viscosity='.001'/>" \
  "<worldbody><body><freejoint/><geom type='sphere' size='.001' mass='1e-20'/></body></worldbody>"
#define MASSLESS_ELLIPSOID                                                     \
  "<option density='1.2' viscosity='0'/>"                                      \
  "<worldbody><body><freejoint/><geom type='sphere' size='.001' mass='1e-20' " \
  "fluidshape='ellipsoid'/></body></worldbody>"
#define COEFFICIENTS_BY_DEFAULT                                                                                        \
  "<option density='1.2' viscosity='.001'/><default><geom fluidshape='ellipsoid' fluidcoef='1 .5 2 .5 .5'/></default>" \
  "<worldbody><body><freejoint/><geom type='ellipsoid' size='.1 .05 .02' mass='1'/></body></worldbody>"

#define MODEL(scene) "<mujoco>" scene "</mujoco>"

// ---------------------------------------------------------------- forces of the reference

typedef struct {
  const char* id;
  const char* xml;
  mjtNum qvel[12];
  mjtNum force[12];
} Force;

static const Force FORCES[] = {
    {"T2",  MODEL(SPHERE),            {0, 0, -1, 0, 0, 0},  {0, 0, 0.014400000000000005, 0, 0, 0}                        },
    {"T2",  MODEL(SPHERE),            {0, 0, 0, 0, 0, -1},  {0, 0, 0, 0, 0, 3.3462576111232108e-06}                      },
    {"T3",  MODEL(SMALL),             {1, 0, 0, 0, 0, 0},   {-0.14600803233505003, 0, 0, 0, 0, 0}                        },
    {"T3",  MODEL(SMALL),             {0, 0, 0, 1, 0, 0},   {0, 0, 0, -1.1680642586804005e-05, 0, 0}                     },
    {"T4",  MODEL(WINDY_BOX),         {0, 0, 0, 0, 0, 0},   {0.074999999999999983, 0, 0, 0, 0, 0}                        },
    {"T6",  MODEL(FLUID_SPHERE),      {0, 0, -1, 0, 0, 0},  {0, 0, 0.018849555921538759, 0, 0, 0}                        },
    {"T6",  MODEL(FLUID_SPHERE),      {0, 0, 0, 0, 0, -1},  {0, 0, 0, 0, 0, 3.015928947446203e-05}                       },
    {"T7",
     MODEL(FLUID_SPHERE),
     {1, 0, 0, 0, 0, 10},
     {-0.018849555921538759, 0.025132756032544404, 0, 0, 0, -0.0030159289474462028}                                      },
    {"T7",
     MODEL(FLUID_SPHERE),
     {0, 0, 10, 1, 0, 0},
     {0, -0.025132756032544404, -1.8849555921538761, -3.015928947446203e-05, 0, 0}                                       },
    {"T8",
     MODEL(ELLIPSOID),
     {1, 0.5, 0, 0, 0, 0},
     {-0.0053352542923529207, -0.0066662217905189905, 0, 0, 0, -5.5521356272820401e-05}                                  },
    {"T8",
     MODEL(ELLIPSOID),
     {0, 0, 0, 1, 0.5, 0},
     {0, 0, 0, -8.5748791704674058e-06, -4.2874395852337029e-06, -5.9557649905456761e-07}                                },
    {"T9",
     MODEL(FLUID_SPHERE),
     {0, 0, -1, 5, 0, 0},
     {0, 0.012566378016272202, 0.018849555921538759, -0.00075398223686155071, 0, 0}                                      },
    {"T9",
     MODEL(FLUID_SPHERE),
     {5, 0, 0, 0, 0, -1},
     {-0.47123889803846902, -0.012566378016272202, 0, 0, 0, 3.015928947446203e-05}                                       },
    {"T10",
     MODEL(WITHOUT_LIFT),
     {1, 0.5, 0, 5, 0, 0},
     {-0.014937525802400396, -0.0074687629012001981, -0.00041016403650696523, -0.00019565373625423375, 0,
      -5.5521356272820401e-05}                                                                                           },
    {"T10",
     MODEL(WITHOUT_LIFT),
     {5, 0, 0, 1, 0.5, 0},
     {-0.28808404633418405, 0, 0.00013255725514286322, -1.6772967172029681e-05, -8.3864835860148405e-06,
      -5.9557649905456761e-07}                                                                                           },
    {"T11", MODEL(MIXED),             {0, 0, -1, 0, 0, 0},  {0, 0, 0.0094247779607693795, 0, -0.0018849555921538761, 0}  },
    {"T11",
     MODEL(MIXED),
     {0, 0, 0, 0, 0, -1},
     {-6.7717841994316191e-05, 0.0002638937829015426, 0, 0, 0, 6.0318578948924026e-05}                                   },
    {"T13", MODEL(TWO_CAPSULES),      {0, 0, -1, 0, 0, 0},  {0, 0, 0.020740615570477225, 0, 0, 0}                        },
    {"T13", MODEL(TWO_CAPSULES),      {0, 0, 0, 0, 0, -1},  {0, 0, 0, 0, 0, 0.00017429999572544011}                      },
    {"T14",
     MODEL(VISCOUS_ELLIPSOID),
     {1, 0.5, 0, 0, 0, 0},
     {-0.0064033957945734514, -0.0072002925416292558, 0, 0, 0, -5.5521356272820401e-05}                                  },
    {"T14",
     MODEL(VISCOUS_ELLIPSOID),
     {0, 0, 0, 1, 0.5, 0},
     {0, 0, 0, -1.3148107231826415e-05, -6.5740536159132077e-06, -5.9557649905456761e-07}                                },
    {"T21",
     MODEL(TWO_BODIES),
     {0, 0, -1, 0, 0, 0, 0, 0, -1, 0, 0, 0},
     {0, 0, 0.011999999999999999, 0, 0, 0, 0, 0, 0.0094247779607693795, 0, 0, 0}                                         },
    {"T21",
     MODEL(TWO_BODIES),
     {0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, -1},
     {0, 0, 0, 0, 0, 1.5937500000000004e-06, 0, 0, 0, 0, 0, 7.5398223686155058e-06}                                      },
    {"T23", MODEL(CYLINDER),          {0, 0, -1, 0, 0, 0},  {0, 0, 0.0094247779607693795, 0, 0, 0}                       },
    {"T23", MODEL(CYLINDER),          {0, 0, 0, 0, 0, -1},  {0, 0, 0, 0, 0, 1.5079644737231007e-05}                      },
    {"T25", MODEL(OFF_CENTER),        {1, 0.5, 0, 0, 0, 0}, {-0.0040995574287564273, -0.0020497787143782136, 0, 0, 0, 0} },
    {"T25", MODEL(OFF_CENTER),        {0, 0, 0, 1, 0.5, 0}, {0, 0, 0, -5.3871702786171235e-06, -3.247296076808562e-06, 0}},
    {"T27", MODEL(ONLY_VISCOUS),      {1, 0.5, 0, 0, 0, 0}, {-1.0681415022205298, -0.53407075111026492, 0, 0, 0, 0}      },
    {"T27", MODEL(ONLY_VISCOUS),      {0, 0, 0, 1, 0.5, 0}, {0, 0, 0, -0.0045732280613590094, -0.0022866140306795047, 0} },
    {"T28", MODEL(SLANTED_WIND),      {0, 0, 0, 0, 0, 0},   {0.026999999999999996, 0.096000000000000002, 0, 0, 0, 0}     },
    {"T29", MODEL(CAPSULE),           {0, 0, -1, 0, 0, 0},  {0, 0, 0.011780972450961729, 0, 0, 0}                        },
    {"T29", MODEL(CAPSULE),           {0, 0, 0, 0, 0, -1},  {0, 0, 0, 0, 0, 4.3353978619539181e-05}                      },
    {"T30", MODEL(FLUID_SPHERE),      {0, 0, 0, 0, 0, 0},   {0, 0, 0, 0, 0, 0}                                           },
    {"T31",
     MODEL(TWO_ELLIPSOIDS),
     {1, 0.5, -1, 0, 0, 0},
     {-0.0013546541995370521, -0.0065549558378893138, 0.046242510312613803, 0.00050203910046244481,
      0.00049550085154586947, -0.00045287179682667006}                                                                   },
    {"T31",
     MODEL(TWO_ELLIPSOIDS),
     {0, 0, 0, 1, 0.5, -1},
     {1.086188363229917e-06, 2.4780664070859218e-05, -0.00014992196342472841, -2.8245299379390021e-05,
      -6.1135177693743932e-05, 4.4267857321270929e-05}                                                                   },
    {"T32",
     MODEL(VISCOUS_ELLIPSOID),
     {0, 0, 0, 10, 5, 3},
     {0, 0, 0, -0.00091392609932581918, -0.00046779369403386996, -0.00033932330782091068}                                },
    {"T32",
     MODEL(VISCOUS_ELLIPSOID),
     {10, 5, 3, 0, 0, 0},
     {-0.72071378867217462, -0.53278823127119268, -1.0438845538901587, -0.012077806470475978, 0.027486894317321178,
      -0.0055521356272820411}                                                                                            },
    {"T33", MODEL(OBLATE),            {1, 0.5, 0, 0, 0, 0}, {-0.013698388725529417, -0.0068491943627647083, 0, 0, 0, 0}  },
    {"T33", MODEL(OBLATE),            {0, 0, 0, 1, 0.5, 0}, {0, 0, 0, -3.3719110708995499e-05, -1.685955535449775e-05, 0}},
    {"T35", MODEL(WINDY_ELLIPSOID),   {0, 0, 0, 0, 0, 0},   {0.050893800988154644, 0, 0, 0, 0, 0}                        },
    {"T36",
     MODEL(VISCOUS_BOX),
     {0, 0, -1, 10, 5, 3},
     {0, 0, 0.013099557428756426, -8.9731077786171234e-05, -0.00010023663264308562, -2.9309948335851376e-05}             },
    {"T36",
     MODEL(VISCOUS_BOX),
     {10, 5, 3, 0, 0, -1},
     {-0.31099557428756419, -0.15549778714378212, -0.11129867228626927, 0, 0, 6.5824827786171246e-06}                    },
    {"T37", MODEL(COEFFICIENTS_ONLY), {0, 0, -1, 0, 0, 0},  {0, 0, 0.014400000000000005, 0, 0, 0}                        },
    {"T37", MODEL(COEFFICIENTS_ONLY), {0, 0, 0, 0, 0, -1},  {0, 0, 0, 0, 0, 3.3462576111232108e-06}                      },
    {"T41",
     MODEL(TURNED),
     {1, 0.5, -1, 0, 0, 0},
     {-0.030184317721643601, -0.0028001381247394984, 0.0020882703248840538, -0.00040259354901586632,
      0.00091622981057737341, -5.5521356272820442e-05}                                                                   },
    {"T41",
     MODEL(TURNED),
     {0, 0, 0, 1, 0.5, -1},
     {0, 0, 0, -1.6612393440366572e-05, -7.9451752411512742e-06, 1.5395947150455543e-05}                                 },
    {"T42",
     MODEL(COEFFICIENTS_BY_DEFAULT),
     {1, 0.5, 0, 0, 0, 0},
     {-0.01413780687353189, -0.0090682007589372102, 0, 0, 0, -5.5521356272820401e-05}                                    },
    {"T42",
     MODEL(COEFFICIENTS_BY_DEFAULT),
     {0, 0, 0, 1, 0.5, 0},
     {0, 0, 0, -1.6772967172029681e-05, -8.3864835860148405e-06, -5.9557649905456761e-07}                                },
};

static void assertForces(const Force* f, const mjData* d, int nv, const char* whose) {
  for (int i = 0; i < nv; i++) {
    if (fabs(d->qfrc_fluid[i] - f->force[i]) > 1e-14 * (1 + fabs(f->force[i]))) {
      fail_msg("%s, dof %d: %s %.17g, expected %.17g", f->id, i, whose, d->qfrc_fluid[i], f->force[i]);
    }
    // without springs, dampers and gravity compensation the sum is the fluid's
    assert_true(d->qfrc_passive[i] == d->qfrc_fluid[i]);
  }
}

// T2–T4, T6–T11, T13, T14, T21, T23, T25, T27–T33, T35–T37, T41, T42
static void forcesOfTheReference(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof(FORCES) / sizeof(FORCES[0]); k++) {
    const Force* f = FORCES + k;
    TstScene s = tst_openScene(f->xml);
    const int nv = (int)s.m->nv;
    memcpy(s.d->qvel, f->qvel, nv * sizeof(mjtNum));
    mj_forward(s.m, s.d);
    assertForces(f, s.d, nv, "ours");
    tst_closeScene(&s);
    if (!orc_available()) continue;

    mjModel* m = orc_compile(f->xml);
    mjData* d = ORC(mj_makeData)(m);
    memcpy(d->qvel, f->qvel, nv * sizeof(mjtNum));
    ORC(mj_forward)(m, d);
    assertForces(f, d, nv, "the reference's");
    ORC(mj_deleteData)(d);
    ORC(mj_deleteModel)(m);
  }
}

// ---------------------------------------------------------------- trajectories

typedef struct {
  const char* xml;
  mjtNum drag[2][5];  // with an initial fall, with an initial spin
  mjtNum spin[5];     // torque of the latter
} Fall;

// T20: vertical force at every tenth of fifty steps
static const Fall FALLS[] = {
    {MODEL(SPHERE),
     {{0.019924268569479629, 0.027106985897051385, 0.035386204134856457, 0.044758217026712732, 0.055218832257093974},
      {0.00044898764687612767, 0.0020008439720760676, 0.0046604296154911726, 0.0084265617579518445,
       0.013297558435829977}},
     {3.3461568362708332e-06, 3.3460448695517359e-06, 3.3459329084523774e-06, 3.345820952972365e-06,
      3.3457090031113532e-06}},
    {MODEL(VISCOUS_ELLIPSOID),
     {{0.014298777987007492, 0.01921280397613977, 0.024846793160936166, 0.031199092212352598, 0.038267837676241631},
      {0.00048246854001167709, 0.0017077135054160463, 0.0036580515678173034, 0.0063329139893041567,
       0.0097315180309499906}},
     {1.2111336590180459e-05, 1.2109432742606291e-05, 1.2107529335809802e-05, 1.2105626369654906e-05,
      1.2103723844005672e-05}}
};

static void fallsOfTheReference(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    for (int spin = 0; spin < 2; spin++) {
      TstScene s = tst_openScene(FALLS[k].xml);
      s.d->qvel[spin ? 5 : 2] = -1;
      for (int step = 0; step < 50; step++) {
        mj_step(s.m, s.d);
        if (step % 10 != 9) continue;
        const mjtNum drag = FALLS[k].drag[spin][step / 10], torque = spin ? FALLS[k].spin[step / 10] : 0;
        assert_true(fabs(s.d->qfrc_fluid[2] - drag) < 1e-12 * drag);
        assert_true(fabs(s.d->qfrc_fluid[5] - torque) <= 1e-12 * torque);
      }
      tst_closeScene(&s);
    }
  }
}

// ---------------------------------------------------------------- closed forms

// T3, T5: Stokes' drag with the mean side of the box as diameter. That box is the one with the body's inertia, sides
// r sqrt(2.4) for a ball, not 2 r: the drag is not 6 π β r v.
static void boxOfASphere(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(SMALL));
  mjtNum box[3];
  frc_inertiaBox(s.m, 1, box);
  for (int k = 0; k < 3; k++) assert_true(fabs(box[k] - 0.01 * sqrt(2.4)) < 1e-15);
  s.d->qvel[0] = 1;
  mj_forward(s.m, s.d);
  assert_true(fabs(s.d->qfrc_fluid[0] + 3 * mjPI * box[0]) < 1e-14);
  tst_closeScene(&s);
}

// T7: Magnus lift is the coefficient times ρ V ω × v, and a sphere's own added mass pushes the other way
static void lateralForce(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(FLUID_SPHERE));
  const mjtNum volume = 4.0 / 3 * mjPI * 1e-3, added = s.m->geom_fluid[6];
  s.d->qvel[0] = 1;
  s.d->qvel[5] = 10;
  mj_forward(s.m, s.d);
  assert_true(fabs(s.d->qfrc_fluid[1] - 1.2 * 10 * (volume - added)) < 1e-15);
  tst_closeScene(&s);
}

// T10: without their coefficients there is neither lift: the force is against the velocity up to the added mass, which
// is silent in a pure translation
static void noLift(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(WITHOUT_LIFT)), lifted = tst_openScene(MODEL(VISCOUS_ELLIPSOID));
  for (int k = 0; k < 2; k++) s.d->qvel[k] = lifted.d->qvel[k] = k ? 0.5 : 1;
  mj_forward(s.m, s.d);
  mj_forward(lifted.m, lifted.d);
  assert_true(fabs(0.5 * s.d->qfrc_fluid[0] - s.d->qfrc_fluid[1]) < 1e-16);
  assert_true(fabs(0.5 * lifted.d->qfrc_fluid[0] - lifted.d->qfrc_fluid[1]) > 1e-3);
  tst_closeScene(&lifted);
  tst_closeScene(&s);
}

// T11, T12: a geom without a fluid shape adds nothing to a body that has one
static void onlyEllipsoidsCount(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(MIXED));
  for (int k = 0; k < mjNFLUID; k++) assert_true(s.m->geom_fluid[k] == 0);
  assert_true(s.m->geom_fluid[mjNFLUID] == 1);
  s.d->qvel[2] = -1;
  mj_forward(s.m, s.d);
  const mjtNum drag = s.d->qfrc_fluid[2];
  s.m->geom_size[0] *= 2;
  mj_forward(s.m, s.d);
  assert_true(drag > 0 && s.d->qfrc_fluid[2] == drag);
  tst_closeScene(&s);
}

// T13: two capsules side by side are broader than they are long: the drag depends on the direction
static void dragByDirection(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(TWO_CAPSULES));
  mjtNum drag[3];
  for (int k = 0; k < 3; k++) {
    for (int c = 0; c < 3; c++) s.d->qvel[c] = c == k;
    mj_forward(s.m, s.d);
    drag[k] = -s.d->qfrc_fluid[k];
    for (int c = 0; c < 6; c++) assert_true(c == k || fabs(s.d->qfrc_fluid[c]) < 1e-17);
  }
  assert_true(drag[1] > 1.2 * drag[0] && drag[1] > 1.2 * drag[2]);
  tst_closeScene(&s);
}

// T25: the centre of mass is where the geom is; drag there turns nothing, and a spinning body is dragged along
static void offCenter(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(OFF_CENTER));
  const mjtNum center[3] = {0.1, 0.05, 0};
  mj_forward(s.m, s.d);
  for (int k = 0; k < 3; k++) assert_true(fabs(s.d->xipos[3 + k] - s.d->xpos[3 + k] - center[k]) < 1e-15);
  s.d->qvel[5] = 1;
  mj_forward(s.m, s.d);
  assert_true(s.d->qfrc_fluid[0] > 0 && s.d->qfrc_fluid[1] < 0 && s.d->qfrc_fluid[5] < 0);
  tst_closeScene(&s);
}

// T31: the force on a body is the sum over its geoms
static void sumOverGeoms(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(TWO_ELLIPSOIDS));
  static const mjtNum qvel[6] = {1, 0.5, -1, 0.3, 0.2, -0.1};
  mjtNum sum[6] = {0}, both[6];
  memcpy(s.d->qvel, qvel, sizeof(qvel));
  mj_forward(s.m, s.d);
  memcpy(both, s.d->qfrc_fluid, sizeof(both));
  for (int g = 0; g < 2; g++) {
    s.m->geom_fluid[mjNFLUID * g] = 0;
    mj_forward(s.m, s.d);
    for (int k = 0; k < 6; k++) sum[k] += s.d->qfrc_fluid[k];
    s.m->geom_fluid[mjNFLUID * g] = 1;
  }
  for (int k = 0; k < 6; k++) assert_true(fabs(sum[k] - both[k]) < 1e-16);
  tst_closeScene(&s);
}

// T1, T40: no medium: the buffer is there and zero, and passive forces are those of dampers alone
static void noMedium(void** state) {
  (void)state;
  TstScene s = tst_openScene(MODEL(NO_MEDIUM));
  for (int i = 0; i < 6; i++) {
    s.d->qvel[i] = -1 - i;
    s.d->qfrc_fluid[i] = 7;
    s.m->dof_damping[i] = 0.5;
  }
  mj_forward(s.m, s.d);
  for (int i = 0; i < 6; i++) {
    assert_true(s.d->qfrc_fluid[i] == 0);
    assert_true(s.d->qfrc_passive[i] == 0.5 * (1 + i));
  }
  tst_closeScene(&s);
}

// T15, T26: the compiler refuses moving bodies without mass, as the reference does; what the engine does with a mass
// that was edited to nothing is in fluid_test.c
static void masslessIsRefused(void** state) {
  (void)state;
  static const char* const XML[] = {MODEL(MASSLESS), MODEL(MASSLESS_ELLIPSOID)};
  for (int k = 0; k < 2; k++) {
    char error[500] = "";
    mjSpec* spec = mj_parseXMLString(XML[k], NULL, error, sizeof(error));
    assert_non_null(spec);
    assert_null(mj_compile(spec, NULL));
    assert_non_null(strstr(mjs_getError(spec), "mass"));
    mj_deleteSpec(spec);
  }
}

// ---------------------------------------------------------------- shapes and coefficients

// T16, T23, T29: half the extent of every shape along its axes
static void semiaxes(void** state) {
  (void)state;
  static const struct {
    const char* xml;
    mjtNum axes[3];
  } SHAPE[] = {
      {MODEL(FLUID_SPHERE),                                                                                                     {0.1, 0.1, 0.1}   },
      {MODEL(CAPSULE),                                                                                                          {0.05, 0.05, 0.2} },
      {MODEL(CYLINDER),                                                                                                         {0.05, 0.05, 0.15}},
      {MODEL(ELLIPSOID),                                                                                                        {0.1, 0.05, 0.02} },
      {MODEL(
           "<worldbody><body><freejoint/><geom type='box' size='.1 .2 .3' fluidshape='ellipsoid'/></body></worldbody>"),
       {0.1, 0.2, 0.3}                                                                                                                            }
  };
  for (size_t k = 0; k < sizeof(SHAPE) / sizeof(SHAPE[0]); k++) {
    TstScene s = tst_openScene(SHAPE[k].xml);
    FrcEllipsoid e;
    assert_true(frc_ellipsoid(s.m, 0, &e));
    for (int i = 0; i < 3; i++) assert_true(fabs(e.semiaxes[i] - SHAPE[k].axes[i]) < 1e-16);
    tst_closeScene(&s);
  }
}

// T22, T37, T42: coefficients come with the shape, also from a default, and not without it
static void coefficients(void** state) {
  (void)state;
  static const struct {
    const char* xml;
    mjtNum fluid[6];
  } CASE[] = {
      {MODEL(FLUID_SPHERE),            {1, 0.5, 0.25, 1.5, 1, 1}},
      {MODEL(BY_DEFAULT),              {1, 0.5, 0.25, 1.5, 1, 1}},
      {MODEL(COEFFICIENTS_BY_DEFAULT), {1, 1, 0.5, 2, 0.5, 0.5} },
      {MODEL(WITHOUT_LIFT),            {1, 1, 0.5, 2, 0, 0}     },
      {MODEL(COEFFICIENTS_ONLY),       {0}                      }
  };
  for (size_t k = 0; k < sizeof(CASE) / sizeof(CASE[0]); k++) {
    TstScene s = tst_openScene(CASE[k].xml);
    assert_memory_equal(s.m->geom_fluid, CASE[k].fluid, sizeof(CASE[k].fluid));
    tst_closeScene(&s);
  }
}

// T38, T39: a shape that does not exist; a list that is too long. The specification refuses short lists as well, the
// reference takes them and keeps the defaults behind them.
static void badAttributes(void** state) {
  (void)state;
  static const char* const XML[] = {
      MODEL("<worldbody><geom size='1' fluidshape='box'/></worldbody>"),
      MODEL("<worldbody><geom size='1' fluidshape='ellipsoid' fluidcoef='.5 .25 1 2 3 4'/></worldbody>"),
  };
  for (size_t k = 0; k < sizeof(XML) / sizeof(XML[0]); k++) {
    char error[500] = "";
    assert_null(mj_parseXMLString(XML[k], NULL, error, sizeof(error)));
    assert_true(error[0]);
  }
  TstScene s = tst_openScene(MODEL("<worldbody><geom size='1' fluidshape='ellipsoid' fluidcoef='.7 .3'/></worldbody>"));
  static const mjtNum FLUID[6] = {1, 0.7, 0.3, 1.5, 1, 1};
  assert_memory_equal(s.m->geom_fluid, FLUID, sizeof(FLUID));
  tst_closeScene(&s);
}

// Lamb's integrals of a spheroid with half axis a and radius b: along the axis, across
static void lamb(mjtNum a, mjtNum b, mjtNum* along, mjtNum* across) {
  if (a > b) {
    const mjtNum e = sqrt(1 - b * b / (a * a)), log = atanh(e);
    *along = 2 * (1 - e * e) / (e * e * e) * (log - e);
  } else {
    const mjtNum e = sqrt(1 - a * a / (b * b));
    *along = 2 / (e * e) * (1 - sqrt(1 - e * e) / e * asin(e));
  }
  *across = 1 - *along / 2;
}

// T17, T19, T24, T34: virtual masses and inertias of the quadrature against closed forms. Fifteen points are not exact:
// the reference's own digits are off by as much, and those are what the model holds.
static void virtualMass(void** state) {
  (void)state;
  static const struct {
    const char* xml;
    mjtNum radius, half;
  } CASE[] = {
      {MODEL("<worldbody><body><freejoint/><geom type='ellipsoid' size='1 1 3' "
             "fluidshape='ellipsoid'/></body></worldbody>"),
       1,                                                                3   },
      {MODEL("<worldbody><body><freejoint/><geom type='ellipsoid' size='3 3 1' "
             "fluidshape='ellipsoid'/></body></worldbody>"),
       3,                                                                1   },
      {MODEL(OBLATE),                                               0.1, 0.03}
  };
  for (size_t k = 0; k < sizeof(CASE) / sizeof(CASE[0]); k++) {
    TstScene s = tst_openScene(CASE[k].xml);
    const mjtNum b = CASE[k].radius, a = CASE[k].half, volume = 4.0 / 3 * mjPI * a * b * b, *fluid = s.m->geom_fluid;
    mjtNum along, across;
    lamb(a, b, &along, &across);
    const mjtNum mass[3] = {volume * across / (2 - across), volume * across / (2 - across),
                            volume * along / (2 - along)};
    for (int i = 0; i < 3; i++) assert_true(fabs(fluid[6 + i] / mass[i] - 1) < 1e-4);

    // about the axis nothing moves; across it (b² − a²)² (α − β) / (2 (b² − a²) + (b² + a²) (β − α)) V / 5
    const mjtNum dif = b * b - a * a, sum = b * b + a * a;
    const mjtNum inertia = volume / 5 * dif * dif * (along - across) / (2 * dif + sum * (across - along));
    assert_true(fabs(fluid[9] / inertia - 1) < 1e-4 && fabs(fluid[10] / inertia - 1) < 1e-4);
    assert_true(fabs(fluid[11]) < 1e-15 * volume);
    tst_closeScene(&s);
  }

  // sphere: κ = 2/3, half its volume, no inertia
  TstScene s = tst_openScene(MODEL(FLUID_SPHERE));
  for (int i = 0; i < 3; i++) {
    assert_true(fabs(s.m->geom_fluid[6 + i] / (2.0 / 3 * mjPI * 1e-3) - 1) < 1e-6);
    assert_true(s.m->geom_fluid[9 + i] == 0);
  }
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forcesOfTheReference),
      cmocka_unit_test(fallsOfTheReference),
      cmocka_unit_test(boxOfASphere),
      cmocka_unit_test(lateralForce),
      cmocka_unit_test(noLift),
      cmocka_unit_test(onlyEllipsoidsCount),
      cmocka_unit_test(dragByDirection),
      cmocka_unit_test(offCenter),
      cmocka_unit_test(sumOverGeoms),
      cmocka_unit_test(noMedium),
      cmocka_unit_test(masslessIsRefused),
      cmocka_unit_test(semiaxes),
      cmocka_unit_test(coefficients),
      cmocka_unit_test(badAttributes),
      cmocka_unit_test(virtualMass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
