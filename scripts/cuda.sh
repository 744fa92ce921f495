#!/usr/bin/env bash
# cuda.sh BUILD: builds libsinew_cuda.so, the kernels for GPUs, in BUILD/cuda. Needs nvcc (CUDA 12.8 or newer), no GPU.
# ARCH="90": machine code for these only; the default is sm_80, sm_90 and sm_100, and PTX for what comes later.
set -euo pipefail
out=$1/cuda
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "make cuda needs nvcc, the compiler of the CUDA toolkit: set NVCC to its path" >&2; exit 1; }
mkdir -p "$out"

codes=()
newest=
for arch in ${ARCH:-80 90 100}; do
  codes+=(-gencode "arch=compute_$arch,code=sm_$arch")
  newest=$arch
done
codes+=(-gencode "arch=compute_$newest,code=compute_$newest")

# one file after the other unless there are processors for more
for source in kernel_f kernel_d device; do
  target=$out/$source.o
  if [ -f "$target" ] && [ -z "$(find src/cuda include -newer "$target" -print -quit)" ]; then continue; fi
  echo "nvcc $source"
  "$nvcc" -std=c++17 -O3 "${codes[@]}" --threads "${JOBS:-$(nproc)}" -Xcompiler -fPIC,-fvisibility=hidden -Iinclude -Isrc \
    -c "src/cuda/$source.cu" -o "$target"
done
"$nvcc" -shared -cudart static -o "$out/libsinew_cuda.so" "$out"/kernel_f.o "$out"/kernel_d.o "$out"/device.o
echo "$out/libsinew_cuda.so"
