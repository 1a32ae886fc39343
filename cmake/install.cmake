# `cmake --install`: the headers, and a package for find_package(mjx).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(mjx_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mjx)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/mjx DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS mjx_headers EXPORT mjxTargets)
install(EXPORT mjxTargets NAMESPACE mjx:: DESTINATION ${mjx_package_dir})
configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjxConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/mjxConfig.cmake
                              INSTALL_DESTINATION ${mjx_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/mjxConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mjxConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/mjxConfigVersion.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjx-dependencies.cmake
        DESTINATION ${mjx_package_dir})
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjx_add_model.cmake ${CMAKE_CURRENT_SOURCE_DIR}/cmake/compiled.cmake
        DESTINATION ${mjx_package_dir})
install(FILES ${mjx_compiled_sources} DESTINATION ${mjx_package_dir}/compiled)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/cmake/generator/main.cpp DESTINATION ${mjx_package_dir}/generator)
