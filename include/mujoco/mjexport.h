// Visibility of symbols. MJAPI marks what the library exports, MJLOCAL what it hides.
//
// Programs need not define anything, except MJ_STATIC when they link the static library on Windows.
// MUJOCO_DLL_EXPORTS is defined only while the library itself is built.

#ifndef MUJOCO_MJEXPORT_H_
#define MUJOCO_MJEXPORT_H_

// how the compiler spells import, export and hidden
#if defined _WIN32 || defined __CYGWIN__
  #define MUJOCO_HELPER_DLL_IMPORT __declspec(dllimport)
  #define MUJOCO_HELPER_DLL_EXPORT __declspec(dllexport)
  #define MUJOCO_HELPER_DLL_LOCAL
#else
  #if __GNUC__ >= 4
    #define MUJOCO_HELPER_DLL_IMPORT __attribute__ ((visibility ("default")))
    #define MUJOCO_HELPER_DLL_EXPORT __attribute__ ((visibility ("default")))
    #define MUJOCO_HELPER_DLL_LOCAL  __attribute__ ((visibility ("hidden")))
  #else
    #define MUJOCO_HELPER_DLL_IMPORT
    #define MUJOCO_HELPER_DLL_EXPORT
    #define MUJOCO_HELPER_DLL_LOCAL
  #endif
#endif

// nothing to mark in a static library
#ifdef MJ_STATIC

  #define MJAPI
  #define MJLOCAL
#else

  // shared library: export while building it, import elsewhere
  #ifdef MUJOCO_DLL_EXPORTS
    #define MJAPI MUJOCO_HELPER_DLL_EXPORT
  #else
    #define MJAPI MUJOCO_HELPER_DLL_IMPORT
  #endif
  #define MJLOCAL MUJOCO_HELPER_DLL_LOCAL
#endif

#endif
