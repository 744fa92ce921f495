// User interfaces of all kinds of items under random events: where everything lies, what is edited, what the variables
// hold. The reference draws while it handles events and needs OpenGL for that; ours does not.
#include <stdlib.h>
#include <string.h>

#include "golden/cases.h"
#include "support/interface.h"
#include "support/random.h"

#ifdef GOLDEN_DRAWS
#include "support/glcontext.h"
#endif

#define NROUND 16
#define NEVENT 400

// sizes of letters are those of no font; OpenGL only where the library draws
static void openContext(mjrContext* con, const mjModel* m, int scale) {
  mjrContext font;
  itf_font(&font, scale);
  memset(con, 0, sizeof(*con));
#ifdef GOLDEN_DRAWS
  if (!glc_make()) {
    fprintf(stderr, "golden: no OpenGL\n");
    exit(1);
  }
  mjr_defaultContext(con);
  mjr_makeContext(m, con, scale);
#else
  (void)m;
#endif
  con->fontScale = font.fontScale;
  con->charHeight = font.charHeight;
  con->charHeightBig = font.charHeightBig;
  memcpy(con->charWidth, font.charWidth, sizeof(font.charWidth));
  memcpy(con->charWidthBig, font.charWidthBig, sizeof(font.charWidthBig));
}

static void closeContext(mjrContext* con) {
#ifdef GOLDEN_DRAWS
  mjr_freeContext(con);
#else
  (void)con;
#endif
}

static void record(Rec* rec, const Itf* itf, int changed) {
  const mjUI* const ui = &itf->ui;
  const int head[] = {ui->width,      ui->height,     ui->maxheight,      ui->scroll,   ui->mousesect,
                      ui->mouseitem,  ui->mousehelp,  ui->mousesectcheck, ui->editsect, ui->edititem,
                      ui->editcursor, ui->editscroll, ui->mouseclicks,    changed};
  rec_int(rec, "head", head, sizeof(head) / sizeof(int));
  rec_text(rec, "text", ui->editsect ? ui->edittext : "");
  rec_bytes(rec, "variables", itf->variable, sizeof(itf->variable));
  for (int n = 0; n < ui->nsect; n++) {
    const mjuiSection* const sect = ui->sect + n;
    int places[8 * mjMAXUIITEM + 16] = {sect->state, sect->lastclick, sect->checkbox, sect->nitem};
    memcpy(places + 4, &sect->rtitle, sizeof(mjrRect));
    memcpy(places + 8, &sect->rcontent, sizeof(mjrRect));
    for (int i = 0; i < sect->nitem; i++) {
      memcpy(places + 16 + 8 * i, &sect->item[i].rect, sizeof(mjrRect));
      places[16 + 8 * i + 4] = sect->item[i].state;
      places[16 + 8 * i + 5] = sect->item[i].skip;
    }
    rec_int(rec, "section", places, 16 + 8 * (size_t)sect->nitem);
  }
}

void gold_interfaces(Rec* rec, const void* arg) {
  mjModel* const m = gold_load(arg);
  Rnd rnd = {13};
  for (int round = 0; round < NROUND; round++) {
    mjrContext con;
    openContext(&con, m, 50 + 50 * (round % 6));
    Itf* const itf = itf_make(round % 2, round % 4);
    itf_define(itf, &rnd, 1 + round % 4, 12);
    itf->ui.radiocol = round % 4;
    mjui_add(&itf->ui, itf->def);
    mjui_resize(&itf->ui, &con);
#ifdef GOLDEN_DRAWS
    mjr_addAux(0, itf->ui.width, itf->ui.maxheight, 0, &con);
#endif
    int changed = 0;
    for (int i = 0; i < NEVENT; i++) {
      itf_event(itf, &rnd);
      const int index = itf_index(itf, mjui_event(&itf->ui, &itf->state, &con));
      changed = (int)(31u * (unsigned)changed + (unsigned)index);
      if (i % 20) continue;
      rec_scope(rec, "round %d event %d ", round, i);
      record(rec, itf, changed);
    }
    free(itf);
    closeContext(&con);
  }
  mj_deleteModel(m);
}
