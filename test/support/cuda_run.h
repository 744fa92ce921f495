// One simulation of a task by one lane: the kernels compiled as C, for both precisions and both directions of loops,
// and those of kinds 0, 3 and 4 forwards.
#pragma once

void cu_run_f(const void* task, int i, void* workspace);
void cu_run_d(const void* task, int i, void* workspace);
void cu_runPlain_f(const void* task, int i, void* workspace);
void cu_runPlain_d(const void* task, int i, void* workspace);
void cu_runSolid_f(const void* task, int i, void* workspace);
void cu_runSolid_d(const void* task, int i, void* workspace);
void cu_runBackwards_f(const void* task, int i, void* workspace);
void cu_runBackwards_d(const void* task, int i, void* workspace);
void cu_runFar_f(const void* task, int i, void* workspace);
void cu_runFar_d(const void* task, int i, void* workspace);
