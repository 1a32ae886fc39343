# mjx::mjx: mjx::headers and a library with what most programs use of them, reading models and the pipeline for Model<double>
# (include/mjx/compiled.hpp). A package that was installed with the library brings it compiled, with the pipeline on duals and lanes too
# (MJX_INSTALL_LIBRARY). Otherwise it is built with the project that links it, by its compiler and with its flags.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)

add_library(mjx::mjx INTERFACE IMPORTED GLOBAL)
if(TARGET mjx::compiled)
    target_link_libraries(mjx::mjx INTERFACE mjx::compiled)
    return()
endif()

set(mjx_compiled_parts parse write compile stages steps)
if(MJX_INSTALL_LIBRARY)
    list(APPEND mjx_compiled_parts duals derivatives lanes)
endif()
list(TRANSFORM mjx_compiled_parts PREPEND ${CMAKE_CURRENT_LIST_DIR}/compiled/ OUTPUT_VARIABLE mjx_compiled_sources)
list(TRANSFORM mjx_compiled_sources APPEND .cpp)
add_library(mjx_compiled STATIC EXCLUDE_FROM_ALL ${mjx_compiled_sources})
target_link_libraries(mjx_compiled PUBLIC mjx::headers)
set_target_properties(mjx_compiled PROPERTIES POSITION_INDEPENDENT_CODE ON)

# The instructions that the project's own flags allow. A target with more of them (-march=native) instantiates the pipeline itself.
check_cxx_source_compiles("#ifndef __AVX512F__\n#error\n#endif\nint main() {}" MJX_COMPILED_AVX512)
check_cxx_source_compiles("#ifndef __AVX__\n#error\n#endif\nint main() {}" MJX_COMPILED_AVX)
if(MJX_COMPILED_AVX512)
    set(mjx_register_bytes 64)
elseif(MJX_COMPILED_AVX)
    set(mjx_register_bytes 32)
else()
    set(mjx_register_bytes 16)
endif()
target_compile_definitions(mjx_compiled PUBLIC MJX_COMPILED=${mjx_register_bytes} $<$<BOOL:${MJX_INSTALL_LIBRARY}>:MJX_COMPILED_ALL>)
# On x86-64 the steps come a second time, for machines with AVX2, unless all is compiled for it anyway. -O3 is worth 15% there,
# 5% more that g++ puts small functions of many callers in line, and 1% on small models that it makes no calls of memset of short loops.
option(MJX_WIDE "Compile the steps of the library for AVX2 too, and take them where the machine has it" ON)
set(mjx_wide_flags -mavx2 -mbmi -mbmi2 -mpopcnt)
check_cxx_compiler_flag("${mjx_wide_flags}" MJX_COMPILES_AVX2)
set(mjx_wide_inlining $<$<CXX_COMPILER_ID:GNU>:--param=max-inline-insns-auto=60;--param=inline-unit-growth=100;-fno-tree-loop-distribute-patterns>)
set(mjx_compiled_wide OFF)
if(MJX_WIDE AND MJX_COMPILES_AVX2 AND mjx_register_bytes EQUAL 16)
    set(mjx_compiled_wide ON)
    target_sources(mjx_compiled PRIVATE ${CMAKE_CURRENT_LIST_DIR}/compiled/wide.cpp)
    set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/compiled/wide.cpp PROPERTIES COMPILE_OPTIONS
                                "${mjx_wide_flags};-fvisibility=hidden;$<$<NOT:$<CONFIG:Debug>>:-O3;${mjx_wide_inlining}>")
    target_compile_definitions(mjx_compiled PUBLIC MJX_COMPILED_WIDE)
endif()
# A project without a build type may well optimize its own targets; the step is optimized in any case.
target_compile_options(mjx_compiled PRIVATE $<$<CONFIG:>:-O2>)

target_link_libraries(mjx::mjx INTERFACE mjx_compiled)
