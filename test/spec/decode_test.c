// Models made by a decoder: of a file, of a name alone, and inside another model.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <mujoco/mujoco.h>

// the text of a file is the name of the body; without a file it is "unwritten"
static mjSpec* decode(mjResource* resource, const mjVFS* vfs) {
  (void)vfs;
  char name[20] = "unwritten";
  const void* text;
  const int n = mju_readResource(resource, &text);
  if (n > 0 && n < (int)sizeof(name)) {
    memcpy(name, text, (size_t)n);
    name[n] = 0;
  }
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_setName(body->element, name);
  return s;
}

static int canDecode(const mjResource* resource) {
  return !strstr(resource->name, "never");
}

static void registerDecoder(void) {
  mjpDecoder d;
  mjp_defaultDecoder(&d);
  d.content_type = "model/sinew-body";
  d.extension = ".oneBody";
  d.can_decode = canDecode;
  d.decode = decode;
  mjp_registerDecoder(&d);
}

static void filesAndNames(void** state) {
  (void)state;
  registerDecoder();
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "written.oneBody", "leg", 3);
  static const struct {
    const char *file, *type, *body;  // NULL: there is no such model
  } cases[] = {
      {"written.oneBody", NULL,               "leg"      },
      {"written.oneBody", "model/sinew-body", "leg"      },
      {"missing.oneBody", NULL,               "unwritten"},
      {"missing.oneBody", "model/other",      "unwritten"},
      {"missing",         "model/sinew-body", "unwritten"},
      {"missing",         NULL,               NULL       },
      {"missing.txt",     NULL,               NULL       },
      {"never.oneBody",   NULL,               NULL       },
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[500] = "before";
    mjSpec* s = mj_parse(cases[i].file, cases[i].type, &vfs, error, sizeof(error));
    if (!s != !cases[i].body) fail_msg("%s: %s", cases[i].file, error);
    if (s) {
      assert_non_null(mjs_findBody(s, cases[i].body));
      assert_string_equal(error, "");
      mj_deleteSpec(s);
    } else {
      assert_non_null(strstr(error, cases[i].file));
    }
  }
  mj_deleteVFS(&vfs);
}

static void insideAModel(void** state) {
  (void)state;
  registerDecoder();
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(
      "<mujoco><asset><model name='m' file='missing.oneBody'/></asset><worldbody><attach model='m' prefix='a_'/>"
      "</worldbody></mujoco>",
      NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  assert_non_null(mjs_findBody(s, "a_unwritten"));
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(filesAndNames), cmocka_unit_test(insideAModel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
