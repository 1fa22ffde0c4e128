# SPDX-License-Identifier: Apache-2.0
# Header, libraries, pkg-config file and CMake package.
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

configure_file(${CMAKE_CURRENT_LIST_DIR}/consort.pc.in ${PROJECT_BINARY_DIR}/consort.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/consort.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
