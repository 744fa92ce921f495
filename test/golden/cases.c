// The list of cases; see cases.h.
#include "golden/cases.h"

#define MODEL(name) \
  { #name, gold_model, "test/models/" #name ".xml" }
#define DENSE(name) \
  { "dense_" #name, gold_model, "test/models/golden/" #name ".xml" }
#define SCENE(name) \
  { "scene_" #name, gold_model, "scenes/" #name ".xml" }

static const GoldenCase CASES[] = {
  // models of the tests
    MODEL(actuators),
    MODEL(assets),
    MODEL(balls),
    MODEL(boxes),
    MODEL(chain),
    MODEL(equality),
    MODEL(flags),
    MODEL(flex),
    MODEL(fluid),
    MODEL(joints),
    MODEL(pendulum),
    MODEL(sensor_zoo),
    MODEL(sensors),
    MODEL(shapes),
    MODEL(sleepers),
    MODEL(tactile),
    MODEL(tendons),
    MODEL(touch),
    MODEL(wraps),

    {"urdf",             gold_model,    "test/models/gripper.urdf"      },

 // models made for this: dense in features
    DENSE(builder),
    DENSE(flexes),
    DENSE(flexsoft),
    DENSE(flexsolids),
    DENSE(loops),
    DENSE(meshes),
    DENSE(mixed),
    DENSE(muscles),
    DENSE(pairs),
    DENSE(passive),
    DENSE(textures),
    DENSE(transmissions),
    DENSE(wake),
    {"variants",         gold_variants, "test/models/golden/mixed.xml"  },
    {"variants_muscles", gold_variants, "test/models/golden/muscles.xml"},
    {"variants_passive", gold_variants, "test/models/golden/passive.xml"},

 // scenes
    SCENE(cable_robot),
    SCENE(car),
    SCENE(climber),
    SCENE(cogs),
    SCENE(conveyor),
    SCENE(cradle),
    SCENE(delay_line),
    SCENE(dominoes),
    SCENE(drone),
    SCENE(engine),
    SCENE(falling),
    SCENE(fourbar),
    SCENE(gears),
    SCENE(gripper_arm),
    SCENE(hand),
    SCENE(humanoid),
    SCENE(mesh_pile),
    SCENE(muscle_arm),
    SCENE(puppet),
    SCENE(quadruped),
    SCENE(sensor_bench),
    SCENE(servo_bench),
    SCENE(sleepers),
    SCENE(spinning_top),
    SCENE(spring_orbit),
    SCENE(studio),
    SCENE(swimmer),
    SCENE(terrain),
    SCENE(whip),
    SCENE(workshop),
};

const GoldenCase* gold_cases(int* n) {
  *n = (int)(sizeof(CASES) / sizeof(CASES[0]));
  return CASES;
}
