# Every *_sycl.cpp under tests/batch is built with AdaptiveCpp when CMake finds it (CMAKE_PREFIX_PATH). Its generic target makes one function
# of a whole kernel when that first runs; -DACPP_TARGETS=omp.library-only compiles for the CPU ahead, in seconds.
find_package(AdaptiveCpp CONFIG QUIET)
if(NOT AdaptiveCpp_FOUND)
    message(STATUS "AdaptiveCpp was not found: the SYCL tests are left out")
    return()
endif()
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} batch/*_sycl.cpp)
foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    mjx_add_test(batch_${name} ${source})
    add_sycl_to_target(TARGET batch_${name}_test SOURCES ${source})
    # minutes for a kernel with contacts; once for all arguments is enough
    set_tests_properties(batch_${name} PROPERTIES LABELS sycl TIMEOUT 1800 ENVIRONMENT ACPP_ADAPTIVITY_LEVEL=0)
endforeach()
