#!/usr/bin/env bash
# bench_gpu.sh BUILD [MODEL...]: steps per second of batches on this GPU, and of MuJoCo Warp where python3 has the package mujoco-warp: the
# same models, states and controls, one after the other in one run. Then the drift of energy and momentum of both.
set -euo pipefail
build=$1
shift
[ $# -gt 0 ] || set -- scenes/hopper.xml
scripts/build.sh release bench_gpu
export SINEW_CUDA=${SINEW_CUDA:-$PWD/$build/cuda/libsinew_cuda.so}
ours=$build/release/bench/bench_gpu
warp=
python3 -c 'import mujoco_warp' 2> /dev/null && warp=bench/warp_peer.py || echo "python3 has no mujoco-warp: ours alone"

# its kernels are compiled first, so that this is not measured
[ -z "$warp" ] || python3 "$warp" --compile "$@"
for model in "$@"; do
  "$ours" "$model"
  [ -z "$warp" ] || python3 "$warp" "$model"
done
"$ours" --drift "$@"
[ -z "$warp" ] || python3 "$warp" --drift "$@"
