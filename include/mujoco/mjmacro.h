// Small macros. Those that name `m` expect an mjModel pointer called m in scope.

#ifndef MUJOCO_MJMACRO_H_
#define MUJOCO_MJMACRO_H_

// larger and smaller of two values; arguments may be evaluated twice
#define mjMAX(a, b) (((a) > (b)) ? (a) : (b))
#define mjMIN(a, b) (((a) < (b)) ? (a) : (b))

// non-zero if a flag (mjtDisableBit, mjtEnableBit) is set in the options of m
#define mjDISABLED(x) (m->opt.disableflags & (x))
#define mjENABLED(x)  (m->opt.enableflags & (x))

// non-zero if the group of actuator i is switched off
#define mjACTUATORDISABLED(i) (m->opt.disableactuator & (1 << m->actuator_group[i]))

// lets the compiler check format strings: n is the position of the format, m of its first argument
#ifndef mjPRINTFLIKE
  #if defined(__GNUC__)
    #define mjPRINTFLIKE(n, m) __attribute__((format(printf, n, m)))
  #else
    #define mjPRINTFLIKE(n, m)
  #endif
#endif

#endif
