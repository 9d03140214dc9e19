include_guard(GLOBAL)

set(TIDES_ROOT "${CMAKE_CURRENT_LIST_DIR}")
set(TIDES_VERSION 3)
option(TIDES_FAST "Takes the fast ones")

function(tides_find result)
  find_package(Tides QUIET)
  set(${result} ${Tides_FOUND} PARENT_SCOPE)
endfunction()

function(
  tides_split
  text
)
  string(REPLACE "(" "" text "${text}")
endfunction()

macro(tides_low)
  math(EXPR low "${ARGV0} - 1")
endmacro()

macro(tides_high)
  # endmacro()
  math(EXPR high "${ARGV0} + 1")
endmacro()

add_custom_target(tides_all)
add_custom_target(tides_none COMMENT "add_library(x)")

function(tides-dashed)
  tides_low(2)
endfunction()

function("tides_quoted" a)
endfunction()

set(TIDES_LIST a b c)
set(TIDES_LAST 1)

function(tides_one)
endfunction()
function(tides_two)
endfunction()
function(tides_three)
endfunction()
macro(tides_four)
endmacro()
macro(tides_five)
endmacro()

SET(TIDES_UPPER on)
ADD_LIBRARY(tides_upper INTERFACE)
add_library(${TIDES_PREFIX}::lib ALIAS tides_upper)
OPTION(TIDES_LOUD "In capitals" OFF)
FUNCTION(TIDES_SHOUT)
  message("${ARGV}")
ENDFUNCTION()
cmake_language(CALL tides_one)
