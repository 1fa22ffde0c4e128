# SPDX-License-Identifier: Apache-2.0
# Header, libraries, pkg-config file and CMake package. What is installed finds itself: the tree may
# be installed below any --prefix, and moved afterwards.
include(CMakePackageConfigHelpers)

install(FILES ${PROJECT_SOURCE_DIR}/include/consort.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS consort_shared EXPORT consort-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/src/libconsort.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT consort-targets NAMESPACE consort:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/consort)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/consort-config.cmake.in
  ${PROJECT_BINARY_DIR}/consort-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/consort
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/consort-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/consort-config.cmake
              ${PROJECT_BINARY_DIR}/consort-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/consort)

# A folder of the installed tree, as pkg-config shall say it: from the prefix, unless it is absolute.
function(consort_pc_folder folder result)
  cmake_path(IS_ABSOLUTE folder absolute)
  if(NOT absolute)
    string(PREPEND folder "\${prefix}/")
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

consort_pc_folder("${CMAKE_INSTALL_LIBDIR}" consort_pc_libdir)
consort_pc_folder("${CMAKE_INSTALL_INCLUDEDIR}" consort_pc_includedir)
file(RELATIVE_PATH consort_pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" consort_pc_prefix "\${pcfiledir}/${consort_pc_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/consort.pc.in ${PROJECT_BINARY_DIR}/consort.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/consort.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
