#!/usr/bin/env bash
# builds.sh [NAME...]: builds and tests what CI does not: other compilers, C libraries and processors. Each has its folder below
# build/builds; what the library stands on is built there from the distribution's sources where it must be.
#   shared   gcc, tests on the shared library       clang    clang, static          clang-shared
#   no-opengl  gcc, where every header of OpenGL is an error: the renderers find it at run time
#   aarch64  cross-compiled, run under emulation    musl     another C library, all static
# scripts/emulated_bundle.sh packs what was built for aarch64, to be run where there are more cores.
# TESTS=expression: only tests whose names match it. Emulated, a few tests are left out: they compile for this machine, limit
# address space, which the emulator does not, or crash thousands of children.
set -euo pipefail
root=$PWD/build/builds
jobs=${JOBS:-$(nproc)}
mkdir -p "$root"

# sources of the four libraries, once; the system's package lists are not touched
fetch() {
  [ -d "$root/sources" ] && return
  mkdir -p "$root/apt/parts" "$root/apt/lists/partial" "$root/fetch"
  local file
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
    [ -f "$file" ] && sed 's/^Types: .*/Types: deb-src/' "$file" >"$root/apt/parts/$(basename "$file")"
  done
  [ -f /etc/apt/sources.list ] && sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$root/apt/parts/old.list"
  local options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$root/apt/parts" -o "Dir::State::Lists=$root/apt/lists")
  apt-get "${options[@]}" update -qq
  (cd "$root/fetch" && apt-get "${options[@]}" source -qq --download-only qhull libccd libdeflate cmocka)
  for file in "$root"/fetch/*.orig.tar.*z; do tar -C "$root/fetch" -xf "$file"; done
  mv "$root/fetch" "$root/sources"
}

# archive COMPILER PREFIX NAME FILE...: a static library with its description
archive() {
  local compiler=$1 prefix=$2 name=$3 file count=0
  shift 3
  mkdir -p "$prefix/build/$name"
  for file in "$@"; do
    count=$((count + 1))
    "$compiler" -O2 -fPIC -I"$(dirname "$1")/.." -c "$file" -o "$prefix/build/$name/$count.o"
  done
  ar rcs "$prefix/lib/lib$name.a" "$prefix/build/$name"/*.o
  printf 'Name: %s\nDescription: %s\nVersion: 1\nLibs: -L%s/lib -l%s -lm\nCflags: -I%s/include\n' "$name" "$name" "$prefix" "$name" \
    "$prefix" >"$prefix/lib/pkgconfig/$name.pc"
}

# needs NAME COMPILER CMAKE-OPTION...: the four as static libraries below build/builds/NAME-needs
needs() {
  local prefix=$root/$1-needs compiler=$2 library folder
  shift 2
  [ -f "$prefix/done" ] && return
  fetch

  # qhull's own build wants C++ for parts that are not used here, libdeflate's is a Makefile: both are a few files of C
  mkdir -p "$prefix/include/libqhull_r" "$prefix/lib/pkgconfig"
  folder=$(find "$root/sources" -maxdepth 1 -type d -name '*qhull*')/src/libqhull_r
  archive "$compiler" "$prefix" qhull_r "$folder"/*.c
  cp "$folder"/*.h "$prefix/include/libqhull_r/"
  folder=$(find "$root/sources" -maxdepth 1 -type d -name '*deflate*')
  archive "$compiler" "$prefix" deflate "$folder"/lib/*.c "$folder"/lib/*/*.c
  cp "$folder/libdeflate.h" "$prefix/include/"
  mv "$prefix/lib/pkgconfig/deflate.pc" "$prefix/lib/pkgconfig/libdeflate.pc"

  for library in ccd cmocka; do
    folder=$(find "$root/sources" -maxdepth 1 -type d -name "*$library*" | head -1)
    cmake -G Ninja -S "$folder" -B "$prefix/build/$library" "$@" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF \
      -DENABLE_DOUBLE_PRECISION=ON -DWITH_STATIC_LIB=ON -DWITH_EXAMPLES=OFF >/dev/null 2>&1
    cmake --build "$prefix/build/$library" -j"$jobs" >/dev/null
    cmake --install "$prefix/build/$library" >/dev/null
  done
  # finds these and none of this machine's
  printf '#!/bin/sh\nPKG_CONFIG_LIBDIR=%s/lib/pkgconfig exec pkg-config "$@"\n' "$prefix" >"$prefix/pkg-config"
  chmod +x "$prefix/pkg-config"
  rm -f "$prefix"/lib/libcmocka.so*
  cp "$(find "$prefix/build" -name 'libcmocka*.a' | head -1)" "$prefix/lib/libcmocka.a"
  touch "$prefix/done"
}

# one NAME CMAKE-OPTION...: configures, builds, runs the tests
one() {
  local name=$1
  shift
  echo "builds: $name"
  cmake -G Ninja -B "$root/$name" -DCMAKE_BUILD_TYPE=Debug "$@" >/dev/null
  cmake --build "$root/$name" -j"$jobs" | sed -u -n '/warning:\|error:\|FAILED\|^ninja: [^n]/p'
  (cd "$root/$name" && ctest -j"$jobs" --output-on-failure --timeout 1200 ${TESTS:+-R "$TESTS"} ${EXCEPT:+-E "$EXCEPT"} | tail -${TAIL:-30})
}

for build in "${@:-shared clang clang-shared no-opengl aarch64 musl}"; do
  for name in $build; do
    case $name in
      shared) one shared -DCMAKE_C_FLAGS_DEBUG=-O2 -DSINEW_TEST_SHARED=ON ;;
      clang) one clang -DCMAKE_C_COMPILER=clang "-DCMAKE_C_FLAGS_DEBUG=-O2 -g1 -gdwarf-4" ;;
      clang-shared) one clang-shared -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_DEBUG=-O2 -DSINEW_TEST_SHARED=ON ;;
      no-opengl)
        for header in GL/gl GL/glext GL/glcorearb GL/glx GL/osmesa EGL/egl EGL/eglext GLES2/gl2 GLES3/gl3 KHR/khrplatform; do
          mkdir -p "$root/no-opengl-headers/$(dirname $header)"
          echo '#error "a header of OpenGL"' >"$root/no-opengl-headers/$header.h"
        done
        one no-opengl "-DCMAKE_C_FLAGS_DEBUG=-O1 -g -I$root/no-opengl-headers"
        ;;
      aarch64)
        scripts/setup.sh gcc-aarch64-linux-gnu qemu-user
        cross=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc)
        needs aarch64 aarch64-linux-gnu-gcc "${cross[@]}"
        EXCEPT='^(base_error|base_plugin|abi_walk|conform_conform|python|example_|docs_|scripts|cli_)' one aarch64 "${cross[@]}" -DSINEW_TEST_SHARED=ON -DPKG_CONFIG_EXECUTABLE="$root/aarch64-needs/pkg-config" -DCMAKE_C_FLAGS_DEBUG=-O2 \
          "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64;-L;/usr/aarch64-linux-gnu"
        ;;
      musl)
        scripts/setup.sh musl-tools
        needs musl musl-gcc -DCMAKE_C_COMPILER=musl-gcc
        one musl -DCMAKE_C_COMPILER=musl-gcc -DPKG_CONFIG_EXECUTABLE="$root/musl-needs/pkg-config" -DCMAKE_C_FLAGS_DEBUG=-O2 \
          -DCMAKE_EXE_LINKER_FLAGS=-static
        ;;
      *) echo "builds: no build is called $name" >&2; exit 1 ;;
    esac
  done
done
