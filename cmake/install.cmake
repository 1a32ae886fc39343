# `cmake --install`: the headers, a package for find_package(mjx), mjx.pc for pkg-config and, with MJX_INSTALL_LIBRARY, the library. The mjx
# command comes along if it was built (examples/CMakeLists.txt).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(mjx_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mjx)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/mjx DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS mjx_headers EXPORT mjxTargets)
if(MJX_INSTALL_LIBRARY)
    set_target_properties(mjx_compiled PROPERTIES EXCLUDE_FROM_ALL OFF OUTPUT_NAME mjx EXPORT_NAME compiled)
    install(TARGETS mjx_compiled EXPORT mjxTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(EXPORT mjxTargets NAMESPACE mjx:: DESTINATION ${mjx_package_dir})
configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjxConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/mjxConfig.cmake
                              INSTALL_DESTINATION ${mjx_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/mjxConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mjxConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/mjxConfigVersion.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjx-dependencies.cmake
        DESTINATION ${mjx_package_dir})
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjx_add_model.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjx_add_python_module.cmake ${CMAKE_CURRENT_SOURCE_DIR}/cmake/compiled.cmake
        DESTINATION ${mjx_package_dir})
file(GLOB mjx_library_sources ${CMAKE_CURRENT_SOURCE_DIR}/cmake/compiled/*.cpp)
install(FILES ${mjx_library_sources} DESTINATION ${mjx_package_dir}/compiled)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/cmake/generator/main.cpp DESTINATION ${mjx_package_dir}/generator)

# What a compiler and a linker need to know, for projects without CMake. Paths are relative to the file: the prefix may move.
file(RELATIVE_PATH mjx_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
list(TRANSFORM mjx_definitions PREPEND -D OUTPUT_VARIABLE mjx_pc_flags)
list(APPEND mjx_pc_flags -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND mjx_pc_flags -fno-tree-slp-vectorize)
endif()
set(mjx_pc_libraries -pthread)
foreach(library Qhull::qhull_r=qhull_r PNG::PNG=png ZLIB::ZLIB=z assimp::assimp=assimp)
    string(REPLACE "=" ";" library ${library})
    list(GET library 0 target)
    list(GET library 1 name)
    if(TARGET ${target})
        list(APPEND mjx_pc_libraries -l${name})
    endif()
endforeach()
if(MJX_INSTALL_LIBRARY)
    list(APPEND mjx_pc_flags -DMJX_COMPILED=${mjx_register_bytes} -DMJX_COMPILED_ALL)
    if(mjx_compiled_wide)
        list(APPEND mjx_pc_flags -DMJX_COMPILED_WIDE)
    endif()
    list(PREPEND mjx_pc_libraries "-L\${libdir}" -lmjx)
endif()
list(JOIN mjx_pc_flags " " mjx_pc_flags)
list(JOIN mjx_pc_libraries " " mjx_pc_libraries)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/mjx.pc.in ${CMAKE_CURRENT_BINARY_DIR}/mjx.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mjx.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
