# libsinew.so and libsinew.a from every source below src/. A new file is picked up by the next build.
file(GLOB_RECURSE SINEW_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*.c)
list(FILTER SINEW_SOURCES EXCLUDE REGEX "/src/view/")

# files written for one instruction set, empty for other processors; the rest is compiled for the baseline
foreach(source IN LISTS SINEW_SOURCES)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    continue()
  elseif(source MATCHES "_v3\\.c$")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-mavx2")
  elseif(source MATCHES "_v4\\.c$")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-mavx2;-mavx512f;-mavx512dq;-mavx512vl")
  endif()
endforeach()
# a profile (flags.cmake) is for everything but the lanes of batches, on which gcc 12 fails with one
foreach(source IN LISTS SINEW_SOURCES)
  if(NOT source MATCHES "/batch/lanes")
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${SINEW_PROFILE_FLAGS})
  endif()
endforeach()

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(QHULL REQUIRED IMPORTED_TARGET qhull_r)
pkg_check_modules(CCD REQUIRED IMPORTED_TARGET ccd)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
# what the library stands on; sinew.pc.in names the same for those who link it statically
add_library(sinew_needs INTERFACE)
target_link_libraries(sinew_needs INTERFACE PkgConfig::QHULL PkgConfig::CCD PkgConfig::DEFLATE
  Threads::Threads m ${CMAKE_DL_LIBS})

add_library(sinew_objects OBJECT ${SINEW_SOURCES})
target_compile_definitions(sinew_objects PRIVATE SINEW_VERSION="${PROJECT_VERSION}")
target_include_directories(sinew_objects PUBLIC ${CMAKE_SOURCE_DIR}/include PRIVATE ${CMAKE_SOURCE_DIR}/src)
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # libsinew.a is for every compiler: machine code beside the intermediate code that only this gcc can read
  target_compile_options(sinew_objects PRIVATE -ffat-lto-objects)
endif()
target_link_libraries(sinew_objects PRIVATE sinew_flags sinew_needs)

foreach(kind SHARED STATIC)
  string(TOLOWER sinew_${kind} target)
  add_library(${target} ${kind} $<TARGET_OBJECTS:sinew_objects>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME sinew LINKER_LANGUAGE C)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:sinew_flags> $<BUILD_INTERFACE:sinew_needs>)
endforeach()
set_target_properties(sinew_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)
target_link_options(sinew_shared PRIVATE -Wl,-Bsymbolic-functions -Wl,--no-undefined ${SINEW_PROFILE_FLAGS})
if(SINEW_SANITIZE)
  # the sanitizer runtime is resolved by the program
  target_link_options(sinew_shared PRIVATE -Wl,--undefined-version -Wl,-z,undefs)
endif()

# The viewer is a library of its own, which the program and its tests use; the font's data are the renderer's, and what
# programs send it is read by what they write it with.
file(GLOB SINEW_VIEW_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/*.c)
add_library(sinew_view ${SINEW_PART} ${SINEW_VIEW_SOURCES} ${CMAKE_SOURCE_DIR}/src/render/glyphs.c
  ${CMAKE_SOURCE_DIR}/src/render/strokes.c ${CMAKE_SOURCE_DIR}/src/live/websocket.c
  ${CMAKE_SOURCE_DIR}/src/live/message.c ${CMAKE_SOURCE_DIR}/src/base/base64.c)
target_include_directories(sinew_view PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(sinew_view PRIVATE sinew_flags)
