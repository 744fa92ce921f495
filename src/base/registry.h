// A list of registered objects (plugins, resource providers, decoders) that only grows. Objects never move or
// change once they are in, so readers take no lock; writers do, and raise errors only after giving it back.
#pragma once

#include <pthread.h>
#include <stddef.h>

// bytes of a name, terminator included; a longer one is probably not a string at all
#define BAS_NAME 1024

typedef struct BasBlock BasBlock;

// What a registry must know about its kind of object.
typedef struct {
  const char* noun;                                 // "plugin", for messages
  size_t size;                                      // bytes of an object
  const char* (*key)(const void* object);           // its name; letter case does not count
  int (*same)(const void* a, const void* b);        // 1: registering b after a changes nothing
  const char* (*copy)(void* dst, const void* src);  // deep copy, NULL or what is wrong with src
} BasKind;

typedef struct {
  const BasKind* kind;
  pthread_mutex_t lock;  // of writers
  BasBlock* first;       // blocks of objects; those in front of count are read without the lock
  int count;             // number of objects, published last
} BasRegistry;

// initial value of a registry
#define BAS_REGISTRY(kindAddress) \
  { .kind = (kindAddress), .lock = PTHREAD_MUTEX_INITIALIZER, .first = NULL, .count = 0 }

// Slot of the object, from 0. An object that is the same as a registered one gets that one's slot; another one under
// a taken name is an error, as is one that cannot be copied (-1 when the handler returns). *added, unless added is
// NULL, says whether the registry grew.
int bas_register(BasRegistry* registry, const void* object, int* added);

// number of objects
int bas_registered(const BasRegistry* registry);

// object in a slot, NULL: there is no such slot
const void* bas_atSlot(const BasRegistry* registry, int slot);

// object whose name is the first length bytes of key, NULL: none; *slot, unless slot is NULL, becomes its slot or -1
const void* bas_byKey(const BasRegistry* registry, const char* key, size_t length, int* slot);

// a copy of a name for a registered object; NULL: it is NULL, has no end within BAS_NAME, or memory is short
char* bas_copyName(const char* name);
