// `sinew view`: alone without a display, and in a real window under Xvfb with scripted hands. Where no OpenGL context
// can be made, only what needs none is tested; without Xvfb or GLFW there is no window.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <sinew/view.h>

#include "cli/pictures.h"

#define SIZE "--size", "240x180"

// a pendulum with a motor above a floor, and a red ball on the left
static const char ARM[] =
    "<mujoco><option timestep='0.005'/><worldbody><light pos='0 0 4'/><camera name='front' pos='0 -3 1' xyaxes='1 0 0 "
    "0 0 1'/>"
    "<geom type='plane' size='5 5 1' rgba='0.5 0.6 0.5 1'/>"
    "<body name='ball' pos='-0.8 0 1'><freejoint/><geom size='0.3' rgba='0.9 0.1 0.1 1'/></body>"
    "<body name='arm' pos='0.6 0 1.6'><joint name='hinge' axis='0 1 0' damping='0.1'/>"
    "<geom type='capsule' size='0.08 0.3' pos='0 0 -0.3' rgba='0.1 0.2 0.9 1'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge' ctrlrange='-2 2' ctrllimited='true'/></actuator>"
    "<keyframe><key name='bent' qpos='-0.8 0 1 1 0 0 0 0.5'/></keyframe></mujoco>";

static int setup(void** state) {
  const int bad = pictureSetup(state);
  writeText("arm.xml", ARM);
  return bad;
}

// the value that the script printed as "name=", wherever it stands the n-th time
static double printed(const char* name, int n) {
  const char* at = programOut;
  char key[64];
  snprintf(key, sizeof(key), "%s=", name);
  while ((at = strstr(at, key))) {
    const int whole = at == programOut || at[-1] == '\n';
    at += strlen(key);
    if (whole && !n--) return strtod(at, NULL);
  }
  return NAN;
}

// pixels that differ by more than a little, of all
static double difference(const AstImage* a, const AstImage* b) {
  int n = 0;
  assert_int_equal(a->width, b->width);
  for (int i = 0; i < a->width * a->height; i++) {
    int most = 0;
    for (int k = 0; k < 3; k++)
      most = abs(a->data[3 * i + k] - b->data[3 * i + k]) > most ? abs(a->data[3 * i + k] - b->data[3 * i + k]) : most;
    n += most > 24;
  }
  return (double)n / (a->width * a->height);
}

// -------------------------------------------------------------------------------------------- alone

static void wrongOptionsAreErrors(void** state) {
  (void)state;
  assert_int_equal(RUN("view", "a.xml", "b.xml"), 2);
  assert_int_equal(RUN("view", "arm.xml", "--frames", "0"), 2);
  assert_int_equal(RUN("view", "arm.xml", "--out", "a.png"), 2);
  assert_err("--frames");
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--out", "a.jpg"), 2);
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--out", "none/a.png"), 4);
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--speed", "0"), 2);
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--size", "0x9"), 2);
}

static void badInputIsAnError(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("view", "none.xml", "--frames", "1"), 3);
  assert_err("none.xml");
  writeText("broken.xml", "<mujoco>\n<worldbody>\n<goem/></worldbody></mujoco>");
  assert_int_equal(RUN("view", "broken.xml", "--frames", "1"), 3);
  assert_err("goem");
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--camera", "fromt"), 2);
  assert_err("front");
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--key", "bend"), 2);
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--watch", "qpos.none"), 2);
  assert_err("qpos.none");
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--show", "nothing"), 2);
  writeText("bad.txt", "wait 2\nclick 3\n");
  assert_int_equal(RUN("view", "arm.xml", "--frames", "1", "--script", "bad.txt"), 3);
  assert_err("line 2");
}

// a picture of the last frame; the same command gives the same bytes
static void pictureOfTheLastFrame(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("view", "arm.xml", SIZE, "--frames", "2", "--out", "a.png", "--camera", "front"), 0);
  assert_out("2 frames");
  AstImage a = readPicture("a.png", 3);
  assert_int_equal(a.width, 240);
  const unsigned char *const ball = at(&a, 120 - 58, 90), *const floor = at(&a, 120, 170);
  assert_true(ball[0] > 2 * ball[1]);
  assert_true(floor[1] >= floor[0]);
  assert_int_equal(RUN("view", "arm.xml", SIZE, "--frames", "2", "--out", "b.png", "--camera", "front", "-q"), 0);
  assert_string_equal(programOut, "");
  AstImage b = readPicture("b.png", 3);
  assert_true(difference(&a, &b) == 0);
  assert_int_equal(
      RUN("view", "arm.xml", SIZE, "--frames", "2", "--out", "c.png", "--camera", "front", "--key", "bent"), 0);
  AstImage c = readPicture("c.png", 3);
  assert_true(difference(&a, &c) > 0.005);
  free(a.data);
  free(b.data);
  free(c.data);
}

// a program shows itself in a viewer that listens; the wrong ways to ask for it
static void listensToPrograms(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("view", "arm.xml", "--at", "0"), 2);
  assert_int_equal(RUN("view", "--listen", "--at", "70000"), 2);
  assert_int_equal(RUN("view", "--listen", "--at", "here:0"), 4);
  assert_int_equal(RUN("view", "--serve", "arm.xml"), 2);
  assert_int_equal(RUN("view", "--serve", "--page", "nowhere"), 3);
  assert_int_equal(RUN("view", "arm.xml", "--copies", "0"), 2);
  writeText("live.txt", "await 1\nprint time simulations live\nquit\n");
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = programStart(
      (const char* const[]){"view", "--listen", "--at", "0", SIZE, "--frames", "1000000", "--script", "live.txt", NULL},
      ends[1]);
  close(ends[1]);
  // it says where it listens; then it is shown two simulations
  char address[64] = "", error[300] = "";
  FILE* const out = fdopen(ends[0], "r");
  while (fgets(programOut, sizeof(programOut), out) && sscanf(programOut, "%*[^\"]\"%60[^\"]", address) != 1) {
  }
  mjModel* const m = mj_loadXML("arm.xml", NULL, error, sizeof(error));
  mjData* const d = mj_makeData(m);
  snView* const view = sn_viewConnect(address, m, 2, error, sizeof(error));
  if (!view) fail_msg("%s", error);
  d->time = 1.25;
  while (sn_viewSend(view, d, 0) == SN_OK) usleep(20000);
  sn_viewClose(view);
  const size_t n = fread(programOut, 1, sizeof(programOut) - 1, out);
  programOut[n] = 0;
  fclose(out);
  waitpid(child, NULL, 0);
  assert_true(printed("time", 0) == 1.25 && printed("simulations", 0) == 2 && printed("live", 0) >= 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void filmsAndStates(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("view", "arm.xml", SIZE, "--frames", "3", "--film", "f.png", "--states", "s.csv"), 0);
  assert_int_equal(access("f-0001.png", R_OK) | access("f-0003.png", R_OK), 0);
  assert_int_not_equal(access("f-0004.png", R_OK), 0);
  slurp("s.csv", programOut);
  assert_out("qpos.hinge");
  int lines = 0;
  for (const char* c = programOut; *c; c++) lines += *c == '\n';
  assert_int_equal(lines, 4);

  // a name is a name, also where it looks like an option
  assert_int_equal(RUN("view", "arm.xml", SIZE, "--frames", "2", "--film=-v.mp4"), 0);
  assert_true(access("./-v.mp4", R_OK) == 0 || access("./-v-0001.png", R_OK) == 0);
}

// -------------------------------------------------------------------------------------------- hands

// pause, one step, back, going on: the script's numbers
static const char HANDS[] =
    "wait 20\nkey space\nwait 1\nprint time paused states\n"
    "key right\nwait 1\nprint time\n"
    "key left\nkey left\nwait 1\nprint time past\n"
    "key space\nwait 1\nprint past paused\n"
    "key =\nwait 1\nprint speed\n"
    "key backspace\nkey space\nwait 1\nprint time\n"
    "key k ctrl\nwait 1\nprint qpos.hinge\n"
    "key ] \nkey ]\nwait 1\nprint camera\n"
    "quit\n";

static void checkHands(void) {
  assert_true(printed("paused", 0) == 1);
  assert_true(printed("states", 0) >= 20);
  const double time = printed("time", 0);
  assert_true(fabs(time - 21.0 / 60) < 0.02);
  assert_true(fabs(printed("time", 1) - time - 0.005) < 1e-9);
  assert_true(printed("time", 2) < time);
  assert_true(printed("past", 0) == 1);
  assert_true(printed("past", 1) == 0 && printed("paused", 1) == 0);
  assert_true(printed("speed", 0) == 2);
  assert_true(printed("time", 3) < 0.1);
  assert_true(fabs(printed("qpos.hinge", 0) - 0.5) < 0.05);
  assert_true(printed("camera", 0) == 2);
}

static void keysWithoutADisplay(void** state) {
  NEEDS_OPENGL;
  writeText("hands.txt", HANDS);
  assert_int_equal(RUN("view", "arm.xml", SIZE, "--frames", "300", "--script", "hands.txt"), 0);
  checkHands();
}

// -------------------------------------------------------------------------------------------- a window

static pid_t server;

// Xvfb on a free display, which it tells; 0: there is none
static int startDisplay(void) {
  int ends[2];
  if (server > 0) return 1;
  if (server < 0 || pipe(ends)) return 0;
  char number[16];
  snprintf(number, sizeof(number), "%d", ends[1]);
  const char* const argv[] = {"Xvfb",         "-displayfd", number, "-screen",  "0",
                              "1280x1024x24", "-nolisten",  "tcp",  "-noreset", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  extern char** environ;
  if (posix_spawnp(&server, "Xvfb", &actions, NULL, (char* const*)argv, environ)) server = -1;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char text[16] = "", display[32];
  const ssize_t n = server > 0 ? read(ends[0], text, sizeof(text) - 1) : 0;
  close(ends[0]);
  if (n <= 0) return 0;
  text[strcspn(text, "\n")] = 0;
  snprintf(display, sizeof(display), ":%s", text);
  setenv("DISPLAY", display, 1);
  return 1;
}

static int endDisplay(void** state) {
  if (server > 0) {
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
  }
  return programTeardown(state);
}

// 1: windows open here; says why not
static int hasWindows(void) {
  if (!startDisplay()) {
    print_message("left out: Xvfb is not installed\n");
    return 0;
  }
  if (RUN("view", "arm.xml", SIZE, "--frames", "1", "--window") == 0) return 1;
  print_message("left out: %s", programErr);
  return 0;
}

static void keysInAWindow(void** state) {
  NEEDS_OPENGL;
  if (!hasWindows()) skip();
  writeText("hands.txt", HANDS);
  assert_int_equal(RUN("view", "arm.xml", SIZE, "--frames", "300", "--window", "--script", "hands.txt", "--bare"), 0);
  checkHands();
}

// the mouse in a window: pulls the ball, changes a control by its slider, scrubs by the time line, films; a window and
// memory show the same picture
static void mouseInAWindow(void** state) {
  NEEDS_OPENGL;
  if (!hasWindows()) skip();
  writeText("mouse.txt",
            "camera front\nwait 1\nshot window.png\nwait 1\nkey space\nwait 2\nprint qpos[0]\n"
            "drag 165 250 260 250 ctrl right over 15 shot pull.png\nprint selected qpos[0]\nwait 5\n"
            "show right=on\nwait 1\ndrag 500 158 615 158 over 3\nprint ctrl.motor\n"
            "show bars=on\nwait 10\ndrag 600 462 120 462 over 4\nwait 1\nprint past time\n"
            "key f9\nwait 3\nkey f9\nwait 1\nprint message\n"
            "quit\n");
  assert_int_equal(RUN("view", "arm.xml", "--size", "640x480", "--frames", "300", "--window", "--script", "mouse.txt",
                       "--bare", "--paused"),
                   0);
  assert_out("selected=ball");
  assert_int_equal(access("pull.png", R_OK), 0);
  assert_true(printed("qpos[0]", 1) > printed("qpos[0]", 0) + 0.01);
  assert_true(printed("ctrl.motor", 0) > 1);
  assert_true(printed("past", 0) == 1);
  assert_out("message=wrote view");
  assert_true(access("view.mp4", R_OK) == 0 || access("view-0001.png", R_OK) == 0);
  assert_int_equal(RUN("view", "arm.xml", "--size", "640x480", "--frames", "1", "--paused", "--camera", "front",
                       "--out", "memory.png"),
                   0);
  AstImage window = readPicture("window.png", 3), memory = readPicture("memory.png", 3);
  assert_true(difference(&window, &memory) < 0.02);
  free(window.data);
  free(memory.data);
}

// a broken file is shown in the window, and the repaired one is loaded
static void reloadInAWindow(void** state) {
  NEEDS_OPENGL;
  if (!hasWindows()) skip();
  writeText("change.xml", "<mujoco><worldbody><goem/></worldbody></mujoco>");
  writeText("drop.txt",
            "wait 3\nprint error\ndrop arm.xml\nwait 1\nprint error message\nwait 1\ndrop none.xml\nwait 1\nprint "
            "error time\nquit\n");
  // a window shows the error where a run alone ends with it: --frames would be one
  const pid_t child = programStart((const char* const[]){"view", "change.xml", SIZE, "--script", "drop.txt", NULL}, -1);
  assert_int_equal(programWait(child), 0);
  assert_out("goem");
  assert_out("message=loaded arm.xml");
  assert_out("error=cannot read 'none.xml'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrongOptionsAreErrors), cmocka_unit_test(badInputIsAnError),
      cmocka_unit_test(pictureOfTheLastFrame), cmocka_unit_test(filmsAndStates),
      cmocka_unit_test(keysWithoutADisplay),   cmocka_unit_test(listensToPrograms),
      cmocka_unit_test(keysInAWindow),         cmocka_unit_test(mouseInAWindow),
      cmocka_unit_test(reloadInAWindow),
  };
  return cmocka_run_group_tests(tests, setup, endDisplay);
}
