# How this repository's own programs are compiled; users of mjx keep their own flags.
#
# mjx::headers brings -ffp-contract=off; benchmarks do without it (bench/CMakeLists.txt).
# -ffast-math and -fno-signed-zeros are never used: they break NaN checks and the order of sums.
set(MJX_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
# g++ 12 finds uninitialised variables in its own AVX-512 intrinsics.
set(MJX_NATIVE_FLAGS -march=native -Wno-uninitialized $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

add_library(mjx_flags INTERFACE)
target_link_libraries(mjx_flags INTERFACE mjx::headers)
target_compile_options(mjx_flags INTERFACE ${MJX_WARNINGS})

if(MJX_SANITIZE)
    string(REPLACE ";" "," mjx_sanitizers "${MJX_SANITIZE}")
    target_compile_options(mjx_flags INTERFACE -fsanitize=${mjx_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    target_link_options(mjx_flags INTERFACE -fsanitize=${mjx_sanitizers})
endif()
if(MJX_TOP_LEVEL)
    target_link_libraries(mjx_compiled PRIVATE $<BUILD_INTERFACE:mjx_flags>)
endif()
