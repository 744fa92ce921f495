#!/usr/bin/env bash
# cuda.sh BUILD: builds libsinew_cuda.so, the kernels for GPUs, in BUILD/cuda. Needs nvcc (CUDA 12.8 or newer), no GPU.
# ARCH="90": machine code for these only; the default is sm_80, sm_90 and sm_100, and PTX for what comes later.
# JOBS=N: so many kernels at a time; each takes a minute or two and a gigabyte.
set -euo pipefail
out=$1/cuda
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "make cuda needs nvcc, the compiler of the CUDA toolkit: set NVCC to its path" >&2; exit 1; }
mkdir -p "$out"

codes=
for arch in ${ARCH:-80 90 100}; do
  codes+=" -gencode arch=compute_$arch,code=sm_$arch"
  newest=$arch
done
codes+=" -gencode arch=compute_$newest,code=compute_$newest"

# one file, unless it is newer than everything it is made of
compile() {
  local source=$1 target=$out/$1.o fast=
  [ -f "$target" ] && [ -z "$(find src/cuda src/collision src/math include -newer "$target" -print -quit)" ] && return
  # single precision: divisions and roots to the last but one bit, which a step cannot tell from rounding
  [[ $source == kernel_f* ]] && fast="-prec-div=false -prec-sqrt=false -ftz=true"
  # double precision with solids: the same bits as on the CPU, on which the points of contacts depend
  [[ $source == kernel_d*[splc] ]] && fast="-fmad=false"
  echo "nvcc $source"
  "$nvcc" -std=c++17 -O3 $fast $codes -Xcompiler -fPIC,-fvisibility=hidden -Iinclude -Isrc -c "src/cuda/$source.cu" -o "$target"
}
export -f compile
export out nvcc codes
printf '%s\n' device kernel_{f,d}{8,16,32}{,s,c} kernel_{f,d}32{p,l} | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile {}'

"$nvcc" -shared -cudart static -o "$out/libsinew_cuda.so" "$out"/*.o
echo "$out/libsinew_cuda.so"
