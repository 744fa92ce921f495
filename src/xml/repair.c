// Text that is nearly XML, made well-formed; see repair.h. One pass over the text, one function per kind of markup.
#include "xml/repair.h"

#include <ctype.h>
#include <string.h>

// what is still to be read, and what was written
typedef struct {
  const char *at, *end;
  BasText out;
} Repair;

static int startsWith(const Repair* r, const char* mark) {
  const size_t length = strlen(mark);
  return (size_t)(r->end - r->at) >= length && !memcmp(r->at, mark, length);
}

// where the markup ends that is closed by mark: behind it, or at the end of the text
static const char* behind(const Repair* r, const char* mark) {
  const char* found = memmem(r->at, (size_t)(r->end - r->at), mark, strlen(mark));
  return found ? found + strlen(mark) : r->end;
}

static void copyTo(Repair* r, const char* end) {
  bas_textAdd(&r->out, r->at, (size_t)(end - r->at));
  r->at = end;
}

static void replace(Repair* r, const char* with) {
  bas_textAdd(&r->out, with, strlen(with));
  r->at++;
}

static void blankTo(Repair* r, const char* end) {
  while (r->at < end) replace(r, *r->at == '\n' ? "\n" : " ");
}

// 1: an entity that every parser knows, or the number of a character
static int isEntity(const Repair* r) {
  static const char* const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (startsWith(r, known[i])) return 1;
  }
  const char* c = r->at + 2;
  if (!startsWith(r, "&#")) return 0;
  const int hex = c < r->end && *c == 'x';
  const char* digits = c += hex;
  while (c < r->end && (hex ? isxdigit((unsigned char)*c) : isdigit((unsigned char)*c))) c++;
  return c > digits && c < r->end && *c == ';';
}

static int isControl(char c) {
  return (unsigned char)c < ' ' && c != '\t' && c != '\n' && c != '\r';
}

static void repairComment(Repair* r) {
  copyTo(r, r->at + strlen("<!--"));
  const char* end = behind(r, "-->");
  while (r->at < end) {
    // the first of two dashes, unless they are those of the end
    const int inner = end - r->at > 3 && r->at[0] == '-' && r->at[1] == '-';
    if (inner || isControl(*r->at)) {
      replace(r, " ");
    } else {
      copyTo(r, r->at + 1);
    }
  }
}

// from quote to quote, and a space if the next attribute follows at once
static void repairValue(Repair* r) {
  const char quote = *r->at;
  copyTo(r, r->at + 1);
  while (r->at < r->end && *r->at != quote) {
    if (*r->at == '<') {
      replace(r, "&lt;");
    } else if (*r->at == '&' && !isEntity(r)) {
      replace(r, "&amp;");
    } else if (isControl(*r->at)) {
      replace(r, " ");
    } else {
      copyTo(r, r->at + 1);
    }
  }
  if (r->at == r->end) return;
  copyTo(r, r->at + 1);
  if (r->at < r->end && !isspace((unsigned char)*r->at) && !strchr("/>", *r->at)) bas_textAdd(&r->out, " ", 1);
}

static void repairTag(Repair* r) {
  while (r->at < r->end && *r->at != '>') {
    if (*r->at == '"' || *r->at == '\'') {
      repairValue(r);
    } else {
      copyTo(r, r->at + 1);
    }
  }
}

BasText xml_repair(const char* text, size_t size) {
  Repair r = {.at = text, .end = text + size};
  while (r.at < r.end) {
    if (startsWith(&r, "<!--")) {
      repairComment(&r);
    } else if (startsWith(&r, "<?xml") && r.end - r.at > 5 && isspace((unsigned char)r.at[5])) {
      blankTo(&r, behind(&r, "?>"));
    } else if (startsWith(&r, "<?")) {
      copyTo(&r, behind(&r, "?>"));
    } else if (startsWith(&r, "<![CDATA[")) {
      copyTo(&r, behind(&r, "]]>"));
    } else if (startsWith(&r, "<!")) {
      blankTo(&r, behind(&r, ">"));
    } else if (*r.at == '<') {
      repairTag(&r);
    } else if (isControl(*r.at) || (*r.at == '&' && !isEntity(&r))) {
      replace(&r, " ");
    } else {
      copyTo(&r, r.at + 1);
    }
  }
  return r.out;
}
