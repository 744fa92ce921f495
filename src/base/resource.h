// The two providers that come with the library: files on disk and buffers in memory.
#pragma once

#include <mujoco/mujoco.h>

// provider of files; opening fails for what is not there or is a directory
extern const mjpResourceProvider bas_diskProvider;

// A provider of one buffer, which takes the n bytes over (free()). It is counted: the creator holds it, as does its
// mount and every resource opened from it. NULL: no memory (bytes is freed).
mjpResourceProvider* bas_newBuffer(void* bytes, int n);

// hold a provider that is a buffer once more; nothing happens to other providers
void bas_holdBuffer(const mjpResourceProvider* provider);

// the opposite; the last one frees the buffer
void bas_dropBuffer(const mjpResourceProvider* provider);
