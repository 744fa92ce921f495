// Extension points: resource providers, decoders of model files, and plugins with their own
// physics.
//
// Fill a struct (mjp_default* sets it to nothing), then register it (mjp_register* in mujoco.h). A
// plugin library does so in a function opened by mjPLUGIN_LIB_INIT and is loaded with
// mj_loadPluginLibrary. Strings of registered structs are copied; functions must stay loaded.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_INCLUDE_MJPLUGIN_H_
#define MUJOCO_INCLUDE_MJPLUGIN_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjvisualize.h>

//---- Resources -----------------------------------------------------------------------------------

// Something readable, opened by mju_openResource: a file on disk, in memory or behind a provider.
struct mjResource_ {
  char* name;           // full name, prefix included
  void* data;           // for the provider
  mjVFS* vfs;           // file system it was opened through, or NULL
  char timestamp[512];  // identifies its version; empty: unknown
  const struct mjpResourceProvider* provider;  // who serves it
};
typedef struct mjResource_ mjResource;

// Open: set data and timestamp as needed. Return 1 for success, 0 for failure.
typedef int (*mjfOpenResource)(mjResource* resource);

// Point buffer at the contents, which stay valid until closing. Return the number of bytes, -1 for
// failure.
typedef int (*mjfReadResource)(mjResource* resource, const void** buffer);

// Release what opening and reading took.
typedef void (*mjfCloseResource)(mjResource* resource);

// Prepare for serving the paths below resource->name. Return 1 for success, 0 for failure.
typedef int (*mjfMountResource)(mjResource* resource);

// Undo that. Return 1 for success, 0 for failure.
typedef int (*mjfUnmountResource)(mjResource* resource);

// Compare with an earlier timestamp. Return 0 if unchanged, above 0 if newer, below 0 if older.
typedef int (*mjfResourceModified)(const mjResource* resource, const char* timestamp);

// Serves the resources whose names start with "prefix:", or those below a mount point.
struct mjpResourceProvider {
  const char* prefix;            // scheme of the names, as in a URI
  mjfOpenResource open;          // required
  mjfReadResource read;          // required
  mjfCloseResource close;        // required
  mjfMountResource mount;        // may be NULL
  mjfUnmountResource unmount;    // may be NULL
  mjfResourceModified modified;  // may be NULL: always counts as modified
  void* data;                    // for the provider; not read by the library
};
typedef struct mjpResourceProvider mjpResourceProvider;

//---- Decoders ------------------------------------------------------------------------------------

// Make a spec from a model file; the caller owns it. NULL on failure.
typedef mjSpec* (*mjfDecode)(mjResource* resource, const mjVFS* vfs);

// 1: this decoder understands the resource, 0: not.
typedef int (*mjfCanDecode)(const mjResource* resource);

// Reads models in a format other than MJCF and URDF.
struct mjpDecoder {
  const char* content_type;  // MIME type, such as model/usd
  const char* extension;     // of files, with its dot; several are separated by |

  mjfCanDecode can_decode;   // required
  mjfDecode decode;          // required

};
typedef struct mjpDecoder mjpDecoder;

//---- Plugins -------------------------------------------------------------------------------------

// What a plugin computes (bits of mjpPlugin.capabilityflags).
typedef enum mjtPluginCapabilityBit_ {
  mjPLUGIN_ACTUATOR = 1<<0,  // actuator forces
  mjPLUGIN_SENSOR   = 1<<1,  // sensor readings
  mjPLUGIN_PASSIVE  = 1<<2,  // passive forces
  mjPLUGIN_SDF      = 1<<3,  // signed distances
} mjtPluginCapabilityBit;

// A plugin. Instances are numbered by the model (mjModel.plugin); state lives in plugin_state,
// anything else behind plugin_data[instance]. Functions a capability does not need may be NULL.
struct mjpPlugin_ {
  const char* name;               // unique; by convention domain.kind.name

  // settings a model may give
  int nattribute;                 // how many
  const char* const* attributes;  // their names

  // what it does
  int capabilityflags;            // mjtPluginCapabilityBit combined
  int needstage;                  // mjtStage its sensors need

  // Numbers of state of an instance. Required.
  int (*nstate)(const mjModel* m, int instance);

  // Numbers a sensor writes. Required for sensors.
  int (*nsensordata)(const mjModel* m, int instance, int sensor_id);

  // Set up an instance when data is made: read settings, fill plugin_data. Return 0, or -1 for
  // failure. May be NULL.
  int (*init)(const mjModel* m, mjData* d, int instance);

  // Release plugin_data when data is deleted. May be NULL.
  void (*destroy)(mjData* d, int instance);

  // Copy plugin_data when data is copied. May be NULL.
  void (*copy)(mjData* dest, const mjModel* m, const mjData* src, int instance);

  // Set the state of an instance when data is reset; signed distances also between searches.
  // Required with state or signed distances.
  void (*reset)(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance);

  // Compute what capability_bit names, with results in d (sensordata, actuator_force or
  // qfrc_passive). Required but for signed distances.
  void (*compute)(const mjModel* m, mjData* d, int instance, int capability_bit);

  // Update the state at the end of a step. May be NULL.
  void (*advance)(const mjModel* m, mjData* d, int instance);

  // Add geoms to the abstract scene. May be NULL.
  void (*visualize)(const mjModel*m, mjData* d, const mjvOption* opt, mjvScene* scn, int instance);

  // Set act_dot of the instance's actuators, for plugins with activations of their own.
  void (*actuator_act_dot)(const mjModel* m, mjData* d, int instance);

  // Signed distance of a local point, negative inside.
  mjtNum (*sdf_distance)(const mjtNum point[3], const mjData* d, int instance);

  // Gradient of that distance.
  void (*sdf_gradient)(mjtNum gradient[3], const mjtNum point[3], const mjData* d, int instance);

  // Signed distance in compilation, from numeric attributes alone.
  mjtNum (*sdf_staticdistance)(const mjtNum point[3], const mjtNum* attributes);

  // Translate attributes, given as names and text, to those numbers, filling in defaults.
  void (*sdf_attribute)(mjtNum attribute[], const char* name[], const char* value[]);

  // Box around the shape: centre, half-lengths.
  void (*sdf_aabb)(mjtNum aabb[6], const mjtNum* attributes);
};
typedef struct mjpPlugin_ mjpPlugin;

// One or two signed distance fields, as mjc_distance takes them. Arrays have one entry per field.
struct mjSDF_ {
  const mjpPlugin** plugin;  // plugins; NULL entries are fields stored in the model
  int* id;                   // plugin instance, or mesh of a field stored in the model
  mjtSDFType type;           // how distances combine
  mjtNum* relpos;            // position of the second in the first (3)
  mjtNum* relmat;            // orientation of the second in the first (9)
  mjtGeom* geomtype;         // mjtGeom of each
};
typedef struct mjSDF_ mjSDF;

//---- Plugin libraries ----------------------------------------------------------------------------

// Opens the function that runs when a plugin library is loaded:
// mjPLUGIN_LIB_INIT { mjp_registerPlugin(&plugin); }
#if defined(__has_attribute)

  #if __has_attribute(constructor)
    #define mjPLUGIN_LIB_INIT __attribute__((constructor)) static void _mjplugin_init(void)
  #endif

#elif defined(_MSC_VER)

  #ifndef mjDLLMAIN
    #define mjDLLMAIN DllMain
  #endif

  #if !defined(mjEXTERNC)
    #if defined(__cplusplus)
      #define mjEXTERNC extern "C"
    #else
      #define mjEXTERNC
    #endif
  #endif

  #define mjPLUGIN_LIB_INIT                                                                 \
    static void _mjplugin_dllmain(void);                                                    \
    mjEXTERNC int __stdcall mjDLLMAIN(void* hinst, unsigned long reason, void* reserved) {  \
      if (reason == 1) {                                                                    \
        _mjplugin_dllmain();                                                                \
      }                                                                                     \
      return 1;                                                                             \
    }                                                                                       \
    static void _mjplugin_dllmain(void)

#endif

//---- Loading -------------------------------------------------------------------------------------

// Told about each library found: its file, the slot of its first plugin, how many it registered.
typedef void (*mjfPluginLibraryLoadCallback)(const char* filename, int first, int count);

#endif
