// Code that the CPU and the kernels for GPUs share: headers called *_body.h, which a .c file of this folder compiles
// for the CPU and cuda/convex.h for GPUs, always in double precision. COL_GPU is set there.
#pragma once

#if defined(__CUDACC__)
#define COL_FN    static __device__
#define COL_API   static __device__ __noinline__  // functions that are called from several places
#define COL_HOT   static __device__               // and those of them that are worth having in each
#define COL_TABLE static __device__ const
#elif defined(COL_GPU)
#define COL_FN    static inline
#define COL_API   static inline
#define COL_HOT   static inline
#define COL_TABLE static const
#else
#define COL_FN static
#define COL_API
#define COL_HOT
#define COL_TABLE static const
#endif

// divisions and roots of positive numbers on which convex queries wait; kernels in single precision have shorter ones
#ifndef COL_DIV
#define COL_DIV(x, y) ((x) / (y))
#define COL_SQRT(x)   sqrt(x)
#endif
