// The bits of models that tests compile and of data that they close, against those of a run in which the live
// comparisons with the reference passed (bits.txt, made by scripts/bits.sh). Bits are promised to be the same on every
// machine, so whatever changes a number in any scene of any test is noticed, also without the reference. What bits.txt
// does not know is not compared; nor are data where the system's sin, cos …, which tests use for their inputs, differ.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

// what stands for a text in bits.txt
uint32_t bit_key(const char* text);

// compares a model that was compiled from a text; ends the test program when it is another
void bit_checkModel(const mjModel* m, uint32_t key);

// compares data of such a model where a test has left them
void bit_checkData(const mjModel* m, const mjData* d, uint32_t key);

// compares what the caller has put together of the following; key: of the text or model that it stands for
void bit_check(uint64_t hash, uint32_t key);
uint64_t bit_addNumbers(uint64_t hash, const mjtNum* numbers, size_t n);
uint64_t bit_addBytes(uint64_t hash, const void* bytes, size_t n);
uint32_t bit_ofModel(const mjModel* m);
uint32_t bit_ofData(const mjModel* m, const mjData* d);
