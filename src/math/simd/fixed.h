// Kernels of fixed size: the inline functions, compiled once more for an instruction set. Included by the files that
// define MTH_ENTRY(name).
#include "math/quat.h"
#include "math/simd/table.h"
#include "math/vec.h"

void MTH_ENTRY(cross)(double res[3], const double a[3], const double b[3]) {
  mth_cross3(res, a, b);
}

void MTH_ENTRY(mulMatVec3)(double res[3], const double mat[9], const double vec[3]) {
  mth_mulMatVec3(res, mat, vec);
}

void MTH_ENTRY(rotVecQuat)(double res[3], const double vec[3], const double quat[4]) {
  mth_rotVecQuat(res, vec, quat);
}

void MTH_ENTRY(mulQuat)(double res[4], const double a[4], const double b[4]) {
  MthPair product[2];
  mth_mulQuatPairs(product, a, mth_load2(b), mth_load2(b + 2));
  mth_storePair(res, product[0]);
  mth_storePair(res + 2, product[1]);
}

void MTH_ENTRY(quat2Mat)(double res[9], const double quat[4]) {
  mth_quat2MatPair(res, quat, mth_load2(quat + 2));
}

void MTH_ENTRY(subQuat)(double res[3], const double qa[4], const double qb[4]) {
  mth_subQuat(res, qa, qb);
}

void MTH_ENTRY(mulPose)(double posres[3], double quatres[4], const double pos1[3], const double quat1[4],
                        const double pos2[3], const double quat2[4]) {
  mth_mulPose(posres, quatres, pos1, quat1, pos2, quat2);
}
