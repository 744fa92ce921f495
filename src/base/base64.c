// Bytes as printable text: three bytes are four characters of six bits, '=' fills the last four.
#include "base/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void bas_encodeBase64(char* text, const uint8_t* bytes, size_t n) {
  for (size_t i = 0; i < n; i += 3) {
    const unsigned b1 = i + 1 < n ? bytes[i + 1] : 0u;
    const unsigned b2 = i + 2 < n ? bytes[i + 2] : 0u;
    const unsigned bits = (unsigned)bytes[i] << 16 | b1 << 8 | b2;
    *text++ = alphabet[bits >> 18];
    *text++ = alphabet[bits >> 12 & 63];
    *text++ = i + 1 < n ? alphabet[bits >> 6 & 63] : '=';
    *text++ = i + 2 < n ? alphabet[bits & 63] : '=';
  }
  *text = '\0';
}

int bas_decodeBase64(uint8_t* bytes, size_t n, const char* text) {
  // whole groups of four, padding only at the very end
  const size_t length = strlen(text);
  if (length % 4) return -1;
  const size_t padding = length ? (size_t)(text[length - 1] == '=') + (text[length - 2] == '=') : 0;
  const size_t used = length - padding;

  // collect six bits at a time, give out eight
  unsigned bits = 0, nbits = 0;
  size_t count = 0;
  for (size_t i = 0; i < used; i++) {
    const char* const place = strchr(alphabet, text[i]);
    if (!place) return -1;
    bits = (bits << 6 | (unsigned)(place - alphabet)) & 0xFFFF;
    nbits += 6;
    if (nbits < 8) continue;
    nbits -= 8;
    if (count < n) bytes[count] = (uint8_t)(bits >> nbits);
    count++;
  }
  return (int)count;
}
