# make install: headers, both libraries, the program, scenes, licence, pkg-config and CMake package files. With
# -DSINEW_DROPIN=ON also a copy named and soname'd libmujoco.so.3.5.0 that replaces the reference's file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
option(SINEW_DROPIN "also install the library as libmujoco.so.3.5.0" OFF)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/scenes PATTERN make_assets.py EXCLUDE PATTERN MUJOCO_LOG.TXT EXCLUDE)
# the page of `make web`, where it was built: sinew view --listen serves it
install(DIRECTORY ${CMAKE_BINARY_DIR}/../web/page/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/page OPTIONAL)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS sinew_shared sinew_static sinew_cli
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# sinew.pc finds the prefix from its own place, so that an installed tree can be moved
file(RELATIVE_PATH SINEW_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SINEW_PC_TO_PREFIX ${SINEW_PC_TO_PREFIX})
configure_file(cmake/sinew.pc.in sinew.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinew-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/sinew-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

# the drop-in differs from libsinew.so only in its name and SONAME
add_library(sinew_dropin SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:sinew_objects>)
set_target_properties(sinew_dropin PROPERTIES PREFIX "" OUTPUT_NAME "libmujoco" SUFFIX ".so.3.5.0" NO_SONAME ON)
target_link_options(sinew_dropin PRIVATE -Wl,-Bsymbolic-functions -Wl,-soname,libmujoco.so.3.5.0)
target_link_libraries(sinew_dropin PRIVATE $<BUILD_INTERFACE:sinew_flags> $<BUILD_INTERFACE:sinew_needs>)
if(SINEW_DROPIN)
  set_target_properties(sinew_dropin PROPERTIES EXCLUDE_FROM_ALL OFF)
  install(TARGETS sinew_dropin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
