# mjx::mjx: mjx::headers and a library with what most programs use of them, reading models and the pipeline for Model<double>
# (include/mjx/compiled.hpp). The library is built with the project that links it, by its compiler and with its flags.
include(CheckCXXSourceCompiles)

set(mjx_compiled_sources)
foreach(part parse write compile stages steps)
    list(APPEND mjx_compiled_sources ${CMAKE_CURRENT_LIST_DIR}/compiled/${part}.cpp)
endforeach()
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
target_compile_definitions(mjx_compiled PUBLIC MJX_COMPILED=${mjx_register_bytes})
# A project without a build type may well optimize its own targets; the step is optimized in any case.
target_compile_options(mjx_compiled PRIVATE $<$<CONFIG:>:-O2>)
# Derived constants are rounded the same way whatever instructions the flags of the program allow.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/compiled/compile.cpp PROPERTIES COMPILE_OPTIONS -ffp-contract=off)

add_library(mjx::mjx INTERFACE IMPORTED GLOBAL)
target_link_libraries(mjx::mjx INTERFACE mjx_compiled)
