// WebSocket (RFC 6455), the part that both ends share: the key of the handshake, frames written and frames read. It
// knows no sockets: bytes go in and out. Extensions are not spoken.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
  LIV_TEXT = 1,
  LIV_BINARY = 2,
  LIV_CLOSE = 8,
  LIV_PING = 9,
  LIV_PONG = 10,

  LIV_FRAME_HEAD = 14,  // bytes of the longest head of a frame
  LIV_ACCEPT = 29       // characters of an answer to a key, terminator included
};

// What a server answers to a client's key.
void liv_acceptKey(const char* key, char accept[LIV_ACCEPT]);

// The head of a frame that is a whole message of so many bytes; mask NULL: a server's. Returns its length.
size_t liv_frameHead(unsigned char head[LIV_FRAME_HEAD], int kind, uint64_t size, const unsigned char* mask);

// Masks bytes, or takes the mask away.
void liv_mask(unsigned char* bytes, size_t n, const unsigned char mask[4]);

// Bytes that came in, until they are messages. It holds no more than the largest message that is allowed, whatever a
// frame says of its length.
typedef struct {
  int masked;   // 1: frames must be masked, as those of clients are; 0: they must not
  size_t most;  // bytes of a message

  unsigned char* bytes;  // came in; taken of them are read already
  size_t n, taken, room;
  unsigned char* parts;  // of a message that comes in several frames
  size_t nparts, partsRoom;
  int kind;  // of that message, 0: none

  int code;            // of the close frame that tells the other side what was wrong
  const char* reason;  // what was wrong
} LivReader;

typedef struct {
  int kind;
  unsigned char* bytes;  // until the next call
  size_t n;
} LivFrame;

void liv_freeReader(LivReader* reader);

// Adds bytes that came in. 0: there is no memory for them.
int liv_feed(LivReader* reader, const unsigned char* bytes, size_t n);

// The next message or control frame: 1; 0: more bytes are needed; -1: not WebSocket, or too long, see code and reason.
int liv_nextFrame(LivReader* reader, LivFrame* frame);
