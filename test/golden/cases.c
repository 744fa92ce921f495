// The list of cases; see cases.h.
#include "golden/cases.h"

#define MODEL(name) \
  { #name, gold_model, "test/models/" #name ".xml" }
#define DENSE(name) \
  { "dense_" #name, gold_model, "test/models/golden/" #name ".xml" }
#define SCENE(name) \
  { "scene_" #name, gold_model, "scenes/" #name ".xml" }
#define VARIANTS(name) \
  { "variants_" #name, gold_variants, "test/models/golden/" #name ".xml" }
#define PRINT(name) \
  { "print_" #name, gold_print, "test/models/golden/" #name ".xml" }
#define VIEWS(name) \
  { "views_" #name, gold_views, "test/models/golden/" #name ".xml" }

// clang-format off
static const GoldenCase CASES[] = {
    {"maths", gold_maths, NULL},
    {"edits", gold_edits, NULL},
    {"callbacks", gold_callbacks, "test/models/golden/callbacks.xml"},
    {"interfaces", gold_interfaces, "test/models/pendulum.xml"},
    {"sleeping_wake", gold_sleeping, "test/models/golden/wake.xml"},
    {"sleeping_islands", gold_sleeping, "test/models/sleepers.xml"},
    {"sleeping_scene", gold_sleeping, "scenes/sleepers.xml"},
    {"urdf", gold_model, "test/models/gripper.urdf"},

    // models made for this, dense in features
    DENSE(builder), DENSE(ccd), DENSE(fields), DENSE(flexes), DENSE(flexsoft), DENSE(flexsolids), DENSE(fused), DENSE(loops), DENSE(meshes), DENSE(mixed),
    DENSE(muscles), DENSE(pairs), DENSE(passive), DENSE(textures), DENSE(touches), DENSE(transmissions), DENSE(wake),
    VARIANTS(mixed), VARIANTS(muscles), VARIANTS(passive),
    PRINT(mixed), PRINT(muscles), PRINT(flexes), PRINT(textures), PRINT(wake),
    VIEWS(mixed), VIEWS(transmissions), VIEWS(flexes), VIEWS(textures), VIEWS(muscles), VIEWS(meshes), VIEWS(loops),

    // models of other tests
    MODEL(actuators), MODEL(assets), MODEL(balls), MODEL(boxes), MODEL(chain), MODEL(equality), MODEL(flags),
    MODEL(flex), MODEL(fluid), MODEL(joints), MODEL(pendulum), MODEL(sensor_zoo), MODEL(sensors), MODEL(shapes),
    MODEL(sleepers), MODEL(tactile), MODEL(tendons), MODEL(touch), MODEL(wraps),

    // scenes
    SCENE(cable_robot), SCENE(car), SCENE(climber), SCENE(cogs), SCENE(conveyor), SCENE(cradle), SCENE(delay_line),
    SCENE(dominoes), SCENE(drone), SCENE(engine), SCENE(falling), SCENE(fourbar), SCENE(gears), SCENE(gripper_arm),
    SCENE(hand), SCENE(humanoid), SCENE(mesh_pile), SCENE(muscle_arm), SCENE(puppet), SCENE(quadruped),
    SCENE(sensor_bench), SCENE(servo_bench), SCENE(sleepers), SCENE(spinning_top), SCENE(spring_orbit),
    SCENE(studio), SCENE(swimmer), SCENE(terrain), SCENE(whip), SCENE(workshop),
};
// clang-format on

const GoldenCase* gold_cases(int* n) {
  *n = (int)(sizeof(CASES) / sizeof(CASES[0]));
  return CASES;
}
