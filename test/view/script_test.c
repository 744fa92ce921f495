// Switches by name: every flag of drawing, as texts and addresses write it.
#include <ctype.h>

#include "view/stage.h"

// "Contact Point" as contact-point=on
static void write(char* text, size_t size, const char* name, const char* value) {
  snprintf(text, size, "%s=%s", name, value);
  for (char* at = text; *at; at++) *at = *at == ' ' ? '-' : (char)tolower((unsigned char)*at);
}

static void switchesAreFoundByName(void** state) {
  (void)state;
  ViwApp* const app = stageOpen("<mujoco/>");
  for (int i = 0; i < mjNVISFLAG + mjNRNDFLAG; i++) {
    const int vis = i < mjNVISFLAG;
    mjtByte* const flag = vis ? app->option.flags + i : app->scene.flags + (i - mjNVISFLAG);
    char text[100];
    for (int on = 0; on < 2; on++) {
      write(text, sizeof(text), vis ? mjVISSTRING[i][0] : mjRNDSTRING[i - mjNVISFLAG][0], on ? "on" : "off");
      *flag = !on;
      if (!viw_setSwitch(app, text) || *flag != on) fail_msg("%s", text);
    }
  }
  assert_true(viw_setSwitch(app, "help=on"));
  assert_int_equal(app->help, 1);
  assert_false(viw_setSwitch(app, "nothing=on"));
  assert_false(viw_setSwitch(app, "shadowy=on"));
  stageClose(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(switchesAreFoundByName)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
