# Sources that are made at configure time.

# a text file as an array of bytes
function(generate_scene scene output)
  file(READ ${scene} bytes HEX)
  get_filename_component(name ${scene} NAME)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
// Made from scenes/@name@ by cli/generate.cmake.
#include "support/model.h"

const char cli_sceneName[] = "@name@";
const unsigned char cli_sceneText[] = {
@bytes@};
const int cli_sceneSize = sizeof(cli_sceneText);
]])
endfunction()

# the functions and variables that the headers declare, each with its address. The references are weak: what the library
# does not define has the address 0
function(generate_api output)
  set(names "")
  foreach(header IN LISTS ARGN)
    file(READ ${header} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "[;[]" "@" text "${text}")
    string(REGEX MATCHALL "MJAPI[^@]*@" statements "${text}")
    foreach(statement IN LISTS statements)
      # "extern T name", "extern T (*name)(T)" or "T name(T)"
      if(statement MATCHES "extern.*\\(\\* *([A-Za-z0-9_]+)\\)")
        list(APPEND names "${CMAKE_MATCH_1} 1")
      elseif(statement MATCHES "extern.* ([A-Za-z0-9_]+) *@")
        list(APPEND names "${CMAKE_MATCH_1} 1")
      elseif(statement MATCHES "((mj[a-z]*|sn)_[A-Za-z0-9_]+)[ \n]*\\(")
        list(APPEND names "${CMAKE_MATCH_1} 0")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  set(pragmas "")
  set(rows "")
  foreach(entry IN LISTS names)
    string(REPLACE " " ";" entry "${entry}")
    list(GET entry 0 name)
    list(GET entry 1 variable)
    string(APPEND pragmas "#pragma weak ${name}\n")
    string(APPEND rows "    {\"${name}\", ${variable}, (const void*)&${name}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
// Made from the public headers by cli/generate.cmake.
#include <mujoco/mujoco.h>
#include <sinew/batch.h>
#include <sinew/contact.h>
#include <sinew/physics.h>
#include <sinew/sinew.h>
#include <sinew/view.h>

#include "support/api.h"

@pragmas@
const CliApi cli_api[] = {
@rows@    {0, 0, 0},
};
]])
endfunction()
