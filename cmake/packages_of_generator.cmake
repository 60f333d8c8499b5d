# SPDX-License-Identifier: Apache-2.0
# Read by cpack for each generator: the archive is for machines without a screen.
set(CPACK_COMPONENTS_ALL kernelgen studio)
if(CPACK_GENERATOR STREQUAL TGZ)
  set(CPACK_COMPONENTS_ALL kernelgen)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
