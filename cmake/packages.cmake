# SPDX-License-Identifier: Apache-2.0
# What `./dev package` makes: the Debian packages kernelgen and kernelgen-studio, and the archive for GPU machines. The
# component `kernelgen` is the relocatable tree, `studio` what the window adds to it.
set(CPACK_PACKAGE_NAME kernelgen)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "KernelGen Studio")
# Who makes the packages says so as for Debian's own tools.
if(DEFINED ENV{DEBEMAIL})
  set(KERNELGEN_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(KERNELGEN_MAINTAINER "KernelGen Studio maintainers <maintainers@kernelgen.example>")
endif()
set(CPACK_PACKAGE_CONTACT ${KERNELGEN_MAINTAINER})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/packages_of_generator.cmake)

# The archive: the tree alone, in a folder of its name.
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_KERNELGEN_FILE_NAME kernelgen-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_FILE_NAME ${CPACK_ARCHIVE_KERNELGEN_FILE_NAME})

# The Debian packages. What they need of libraries is read from the binaries.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_KERNELGEN_PACKAGE_NAME kernelgen)
set(CPACK_DEBIAN_KERNELGEN_PACKAGE_RECOMMENDS "g++, python3")
set(CPACK_DEBIAN_KERNELGEN_PACKAGE_SUGGESTS "kernelgen-studio, libdnnl3, python3-torch")
set(CPACK_DEBIAN_KERNELGEN_DESCRIPTION
    "verified, tuned and documented kernels of an operator
From an operator's definition it generates C++, CUDA and Triton kernels,
verifies them against a float64 reference, times only what is right, tunes,
and says why a kernel is slow.
.
This is the command line, which needs neither Qt nor CUDA.")
set(CPACK_DEBIAN_STUDIO_PACKAGE_NAME kernelgen-studio)
# The icons are SVG, which Qt reads by a plugin of its own.
set(CPACK_DEBIAN_STUDIO_PACKAGE_DEPENDS "kernelgen (= ${PROJECT_VERSION}), qt6-svg-plugins")
set(CPACK_DEBIAN_STUDIO_PACKAGE_RECOMMENDS "qt6-translations-l10n, qt6-wayland")
set(CPACK_DEBIAN_STUDIO_DESCRIPTION
    "window of KernelGen, for verified, tuned and documented kernels
The operator, its kernel and a slider for each tunable side by side: a run
verifies the kernel and, only if it is right, times it. Charts show all rounds.")

# Both have the changelog and the licences, as Debian's policy asks for.
execute_process(COMMAND date -u -R -d ${KERNELGEN_RELEASE_DATE} OUTPUT_VARIABLE release_day OUTPUT_STRIP_TRAILING_WHITESPACE)
set(changelog ${CMAKE_BINARY_DIR}/debian/changelog)
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${changelog} @ONLY)
execute_process(COMMAND gzip -9nc ${changelog} OUTPUT_FILE ${changelog}.gz)
foreach(file ${changelog}.gz ${CMAKE_CURRENT_LIST_DIR}/debian/copyright)
  install(FILES ${file} DESTINATION share/doc/kernelgen)
  install(FILES ${file} DESTINATION share/doc/kernelgen-studio COMPONENT studio EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
