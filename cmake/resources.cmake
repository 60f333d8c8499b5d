# SPDX-License-Identifier: Apache-2.0
# Resources are found at ../share/kernelgen of the program: links in the build tree, copies where it is installed.
set(KERNELGEN_SHARE ${CMAKE_BINARY_DIR}/share/kernelgen)
file(MAKE_DIRECTORY ${KERNELGEN_SHARE})
file(GLOB KERNELGEN_RESOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/*)
foreach(resource ${KERNELGEN_RESOURCES} ${CMAKE_SOURCE_DIR}/projects)
  get_filename_component(name ${resource} NAME)
  file(CREATE_LINK ${resource} ${KERNELGEN_SHARE}/${name} SYMBOLIC)
endforeach()
install(DIRECTORY resources/ DESTINATION share/kernelgen PATTERN __pycache__ EXCLUDE)
install(DIRECTORY projects DESTINATION share/kernelgen
        PATTERN .lock EXCLUDE PATTERN .clang-format EXCLUDE PATTERN comparisons EXCLUDE PATTERN optimization_log.md EXCLUDE PATTERN __pycache__ EXCLUDE)
