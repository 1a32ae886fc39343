# What mjx needs, found here both for the build and for users of the installed package.
# Sets mjx_libraries and mjx_definitions.
include(CMakeFindDependencyMacro)

find_dependency(Threads)
find_dependency(Boost 1.70)  # headers only: Hana, PropertyTree, Beast
find_dependency(xtl)
find_dependency(xtensor)
find_dependency(xsimd)
set(mjx_libraries Threads::Threads Boost::headers xtensor xsimd)
set(mjx_definitions)

# Convex hulls of meshes, and height fields from PNG files. A model that needs what is missing is an error when it is loaded.
find_package(Qhull CONFIG QUIET)
if(TARGET Qhull::qhull_r)
    list(APPEND mjx_libraries Qhull::qhull_r)
    list(APPEND mjx_definitions MJX_HAVE_QHULL=1)
endif()
find_package(PNG QUIET)
if(TARGET PNG::PNG)
    list(APPEND mjx_libraries PNG::PNG)
    list(APPEND mjx_definitions MJX_HAVE_PNG=1)
endif()
# Recordings are smaller with it.
find_package(ZLIB QUIET)
if(TARGET ZLIB::ZLIB)
    list(APPEND mjx_libraries ZLIB::ZLIB)
    list(APPEND mjx_definitions MJX_HAVE_ZLIB=1)
endif()
# COLLADA meshes, which robots in URDF are often made of.
if(NOT DEFINED MJX_COLLADA OR MJX_COLLADA)
    find_package(assimp CONFIG QUIET)
    if(TARGET assimp::assimp)
        list(APPEND mjx_libraries assimp::assimp)
        list(APPEND mjx_definitions MJX_HAVE_ASSIMP=1)
    endif()
endif()
