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
if(SINEW_WERROR)
  target_compile_options(sinew_flags INTERFACE -Werror)
endif()
# POSIX and a few GNU functions (mmap, dladdr, qsort_r is not used)
target_compile_definitions(sinew_flags INTERFACE _GNU_SOURCE)

if(SINEW_SANITIZE)
  target_compile_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()
