# AdaptiveCpp, where it is found (CMAKE_PREFIX_PATH). Its generic target serves any device and makes one function of a whole kernel when that
# first runs, which takes a minute or more; for the CPU alone kernels are compiled ahead. -DACPP_TARGETS=generic is for GPUs.
if(NOT ACPP_TARGETS)
    set(ACPP_TARGETS omp.library-only CACHE STRING "What AdaptiveCpp compiles for" FORCE)
endif()
find_package(AdaptiveCpp CONFIG QUIET)
