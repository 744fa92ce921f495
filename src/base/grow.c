// Growing texts: room doubles, so that adding is linear in the whole.
#include "base/grow.h"

#include <mujoco/mujoco.h>
#include <string.h>

#include "base/memory.h"

void bas_textAdd(BasText* t, const char* text, size_t length) {
  if (t->failed) return;
  if (t->used + length + 1 > t->room) {
    const size_t room = 2 * (t->used + length) + 1024;
    char* const moved = bas_tryMalloc(room);
    if (!moved) {
      mju_free(t->text);
      *t = (BasText){.failed = 1};
      return;
    }
    if (t->used) memcpy(moved, t->text, t->used);
    mju_free(t->text);
    t->text = moved;
    t->room = room;
  }
  memcpy(t->text + t->used, text, length);
  t->used += length;
  t->text[t->used] = 0;
}
