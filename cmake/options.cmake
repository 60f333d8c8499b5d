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
if(KERNELGEN_WERROR)
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

configure_file(${CMAKE_SOURCE_DIR}/core/base/version.h.in ${CMAKE_BINARY_DIR}/generated/core/base/version.h @ONLY)
