# SPDX-License-Identifier: Apache-2.0
# How every target is compiled.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(kernelgen_options INTERFACE)
target_include_directories(kernelgen_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(kernelgen_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers)
if(KERNELGEN_UNITY)  # where a name of one file may hide another file's
  target_compile_options(kernelgen_options INTERFACE -Wno-shadow)
endif()
# What a newer GCC warns of is not known here, and must keep nobody from building.
if(KERNELGEN_WERROR AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15))
  target_compile_options(kernelgen_options INTERFACE -Werror)
endif()
if(KERNELGEN_SANITIZE)
  target_compile_options(kernelgen_options INTERFACE -fsanitize=${KERNELGEN_SANITIZE} -fno-sanitize-recover=all
                                                     -fno-omit-frame-pointer)
  target_link_options(kernelgen_options INTERFACE -fsanitize=${KERNELGEN_SANITIZE})
  target_compile_definitions(kernelgen_options INTERFACE KERNELGEN_SANITIZED)
endif()
if(KERNELGEN_FUZZ)
  target_compile_options(kernelgen_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_link_libraries(kernelgen_options INTERFACE Threads::Threads ${CMAKE_DL_LIBS} nlohmann_json::nlohmann_json)

# kernelgen_unite(TARGET SOURCE...): with KERNELGEN_UNITY the sources of a folder compile as one unit, and so share one
# anonymous namespace. A source with compile options of its own stays alone.
function(kernelgen_unite target)
  if(NOT KERNELGEN_UNITY)
    return()
  endif()
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# kernelgen_compile_sooner(TARGET): for code that reads, decides and writes, at -O1: two thirds of the compiler's time at
# -O3.
function(kernelgen_compile_sooner target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endfunction()

configure_file(${CMAKE_SOURCE_DIR}/core/base/version.h.in ${CMAKE_BINARY_DIR}/generated/core/base/version.h @ONLY)
