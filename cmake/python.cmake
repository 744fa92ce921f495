# The Python package: a library under the reference's name that holds nothing and leads to ours, and where the parts go.
# pyproject.toml builds a wheel of the component "wheel"; the tests use the same package staged in the build folder.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/named/named.c "// only a name: see cmake/python.cmake\n")
add_library(sinew_named SHARED EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/named/named.c)
set_target_properties(sinew_named PROPERTIES PREFIX "" OUTPUT_NAME "libmujoco" SUFFIX ".so.3.5.0" NO_SONAME ON
  INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/named)
target_link_options(sinew_named PRIVATE -Wl,--no-as-needed -Wl,-soname,libmujoco.so.3.5.0)
target_link_libraries(sinew_named PRIVATE sinew_shared)

if(SKBUILD)
  set_target_properties(sinew_shared PROPERTIES VERSION 0)  # a wheel holds no links: one file, named as its SONAME

  # for glibc 2.28, also when this system's is newer; libraries that have become part of libc since then are named
  set(pinned exp log pow hypot dlopen dlsym dlclose dladdr dlerror pthread_create pthread_join pthread_mutex_trylock pthread_once stat fstat
    __libc_start_main)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    add_library(sinew_old_glibc OBJECT cmake/old_glibc.c)
    set_target_properties(sinew_old_glibc PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    target_link_libraries(sinew_old_glibc PRIVATE sinew_flags)
    list(TRANSFORM pinned PREPEND "-Wl,--wrap=" OUTPUT_VARIABLE wraps)
    foreach(target sinew_shared sinew_cli)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:sinew_old_glibc>)
      target_link_options(${target} PRIVATE ${wraps})
      target_link_libraries(${target} PRIVATE -Wl,--no-as-needed -l:libdl.so.2 -l:libpthread.so.0 -Wl,--as-needed)
    endforeach()
  endif()
  install(TARGETS sinew_shared LIBRARY DESTINATION sinew/lib COMPONENT wheel NAMELINK_SKIP)
  install(FILES $<TARGET_FILE:sinew_named> DESTINATION sinew/lib COMPONENT wheel)
  install(PROGRAMS $<TARGET_FILE:sinew_cli> DESTINATION sinew/bin COMPONENT wheel)
  install(DIRECTORY include/ DESTINATION sinew/include COMPONENT wheel)
  install(DIRECTORY scenes/ DESTINATION sinew/scenes COMPONENT wheel
    PATTERN make_assets.py EXCLUDE PATTERN MUJOCO_LOG.TXT EXCLUDE)
endif()

if(NOT SKBUILD AND NOT SINEW_SANITIZE MATCHES "thread|fuzzer")
  set(stage ${CMAKE_CURRENT_BINARY_DIR}/python/sinew)
  add_custom_target(python_package ALL
    COMMAND ${CMAKE_COMMAND} -E make_directory ${stage}/lib ${stage}/bin
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${CMAKE_SOURCE_DIR}/python/sinew ${stage}
    COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:sinew_shared> ${stage}/lib/libsinew.so.0
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:sinew_named> ${stage}/lib/
    COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:sinew_cli> ${stage}/bin/sinew
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${CMAKE_SOURCE_DIR}/include ${stage}/include
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${CMAKE_SOURCE_DIR}/scenes ${stage}/scenes
    VERBATIM COMMENT "")
  add_dependencies(python_package sinew_shared sinew_named sinew_cli)
endif()

if(SINEW_TESTS AND NOT SINEW_SANITIZE MATCHES "thread")
  # the kernels for GPUs as C, in a library that stands for the one with the GPU
  file(GLOB cuda_host ${CMAKE_SOURCE_DIR}/test/support/cuda_*.c)
  add_library(sinew_cuda_host MODULE ${cuda_host})
  set_target_properties(sinew_cuda_host PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/python)
  target_include_directories(sinew_cuda_host PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/test)
  target_link_libraries(sinew_cuda_host PRIVATE sinew_flags m)
  add_dependencies(python_package sinew_cuda_host)

  # a library full of sanitizers needs their runtime in the interpreter
  set(runtime)
  if(SINEW_SANITIZE MATCHES "address")
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  add_test(NAME python COMMAND ${CMAKE_SOURCE_DIR}/scripts/python_tests.sh ${CMAKE_CURRENT_BINARY_DIR}/python ${runtime}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(python PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
