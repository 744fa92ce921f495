// The library of OpenGL's functions stays loaded for as long as they may be called, whatever a client does with it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <mujoco/mujoco.h>

#include "render/gl.h"
#include "support/model.h"

static void clientsMayUnloadTheirOpenGl(void** state) {
  (void)state;
  mjModel* const m = tst_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");

  // a client's window, what we make with it, the window's library gone, and again
  for (int turn = 1; turn <= 3; turn++) {
    void* const lib = dlopen(FAKE_OSMESA, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(lib);
    mjrContext con;
    mjr_defaultContext(&con);
    mjr_makeContext(m, &con, mjFONTSCALE_100);
    assert_int_equal(con.glInitialized, 1);
    dlclose(lib);
    mjr_freeContext(&con);
    assert_int_equal(con.baseFontNormal, 0);

    // it is the same library that freed the lists
    void* const again = dlopen(FAKE_OSMESA, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(again);
    int (*const deleted)(void) = (int (*)(void))dlsym(again, "fakeDeleted");
    assert_true(deleted() >= turn);
    dlclose(again);
  }
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clientsMayUnloadTheirOpenGl),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
