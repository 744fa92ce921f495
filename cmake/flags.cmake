# Compiler flags of every target. The floating-point flags are part of the product: together with
# the fixed reduction order in src/math they make results the same on every compiler and CPU.
add_library(sinew_flags INTERFACE)
target_compile_options(sinew_flags INTERFACE
  -ffp-contract=off             # never fuse a multiply and an add
  -fno-math-errno               # sqrt is an instruction; values do not change
  -fno-semantic-interposition   # our own calls need no PLT
  -fno-tree-slp-vectorize       # pairs loaded right after single stores wait for them: slower on 3-vectors
  $<$<CONFIG:Release>:-falign-loops=32>  # a short loop that straddles two cache lines is fetched twice
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Structs and arrays of up to 512 bytes are cleared and copied by moves: gcc's choice from 32 bytes on, one instruction that
  # repeats (rep stos, rep movs), takes longer to start than most of them take. Copies go by eight bytes, because a wide load
  # of what has just been stored number by number waits for it.
  target_compile_options(sinew_flags INTERFACE
    $<$<CONFIG:Release>:-mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign>
    $<$<CONFIG:Release>:-mmemcpy-strategy=unrolled_loop:512:noalign,libcall:-1:noalign>)
endif()
if(SINEW_WERROR)
  target_compile_options(sinew_flags INTERFACE -Werror)
endif()
# POSIX and a few GNU functions (mmap, dladdr, qsort_r is not used)
target_compile_definitions(sinew_flags INTERFACE _GNU_SOURCE)

if(SINEW_SANITIZE)
  target_compile_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()

# Profile-guided builds (scripts/release_pgo.sh, gcc): "write" counts branches while a program runs, "use" compiles with what was counted.
# Files are named relative to the build folder, so that one folder reads what the other wrote. What no training run reached is compiled
# as without a profile, kernels for other processors among it; no option of these lets sums change their order.
set(SINEW_PROFILE "" CACHE STRING "profile-guided build: write or use")
set(SINEW_PROFILE_DIR ${CMAKE_SOURCE_DIR}/build/profile CACHE PATH "where profiles are written and read")
if(SINEW_PROFILE STREQUAL "write")
  set(SINEW_PROFILE_FLAGS -fprofile-generate=${SINEW_PROFILE_DIR} -fprofile-prefix-path=${CMAKE_BINARY_DIR} -fprofile-update=atomic)
elseif(SINEW_PROFILE STREQUAL "use")
  set(SINEW_PROFILE_FLAGS -fprofile-use=${SINEW_PROFILE_DIR} -fprofile-prefix-path=${CMAKE_BINARY_DIR} -fprofile-partial-training
    --param=hot-bb-count-ws-permille=999)  # what takes a hundredth of the training may be all of another model's time
  # other counts are another command: neither ninja nor a compiler's cache looks at the files that the compiler reads them from
  file(GLOB counts ${SINEW_PROFILE_DIR}/*.gcda)
  set(sums)
  foreach(file IN LISTS counts)
    file(SHA256 ${file} sum)
    list(APPEND sums ${sum})
  endforeach()
  string(SHA256 sum "${sums}")
  list(APPEND SINEW_PROFILE_FLAGS -DSINEW_PROFILE_SUM=${sum})
endif()
