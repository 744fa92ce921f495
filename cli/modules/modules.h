// Parts of the program that need large libraries: HDF5, MPI and GLFW. Each is a library of its own beside the program,
// built where the system has what it needs and loaded when it is used, so that the program starts without them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "view/events.h"

enum { MOD_ERROR_SIZE = 512 };

//---------------------------------- sinew_hdf5 ----------------------------------

// one dataset of a table
typedef struct {
  char name[200];      // with the group before a slash
  char kind;           // 'd' double, 'b' byte, 's' text
  int width;           // bytes of a text
  const void* values;  // nrow of them, NULL: zeros
  int64_t offset;      // where the values lie in the file, set by create and open
} ModColumn;

// Functions return 1, or 0 with a message.
typedef struct {
  // writes a file with these datasets of nrow values each and a text attribute "settings". The same input gives the
  // same bytes. Values lie in one piece at offset: they can be written without this library, and nothing else changes.
  int (*create)(const char* path, const char* settings, int64_t nrow, ModColumn* column, int n, char* error);

  // reads the settings (free() them) and the offsets of the named datasets
  int (*open)(const char* path, char** settings, ModColumn* column, int n, char* error);

  // rows as they come: a dataset of rows x width[i] doubles for each name
  void* (*openStream)(const char* path, const char* const* name, const int* width, int n, char* error);
  int (*writeStream)(void* stream, const double* rows, int nrow, char* error);
  int (*closeStream)(void* stream, char* error);
} ModHdf5;

//---------------------------------- sinew_mpi ----------------------------------

typedef struct {
  int (*start)(int* rank, int* size);  // 0: MPI does not work here
  void (*finish)(void);
  void (*send)(int to, const void* bytes, int size);

  // waits for a message of anyone (from -1) or of one rank; returns whose it was, or -1 when stop() says so
  int (*receive)(int from, void* bytes, int size, int (*stop)(void));
} ModMpi;

//---------------------------------- sinew_window ----------------------------------

typedef struct {
  // a window whose OpenGL is current, with four samples a pixel, or with one where plain says that it has to do; NULL
  // with a message
  void* (*open)(const char* title, const int size[2], int (*plain)(void* (*lookup)(const char* name)), char* error);
  void (*close)(void* window);
  void* (*lookup)(const char* name);  // a function of OpenGL

  // hands over what happened since the last time; 0: the window was closed
  int (*poll)(void* window, void (*sink)(void* context, const ViwEvent* event), void* context);
  void (*show)(void* window);                               // what was drawn
  void (*size)(void* window, int pixels[2], float* scale);  // and how large things are to be drawn on this screen
} ModWindow;

//---------------------------------- finding them ----------------------------------

// the table `symbol` of a module, NULL: it was not built, or what it needs is not there
const void* mod_load(const char* name, const char* symbol);

// which of the two it was
const char* mod_reason(const char* name);
