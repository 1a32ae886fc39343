# Tests that are built a second time with other flags, as <name>_<variation>.
include(CheckCXXSourceRuns)

# Packs change width with the instruction set: SSE2 by default, AVX2 (with FMA), and whatever this machine has.
set(MJX_PACK_TESTS scalar_laws scalar_functions math_quat batch_contact_lanes)
# Fixed models are straight-line code, which compilers vectorize as far as the instructions go.
set(MJX_AVX2_TESTS ${MJX_PACK_TESTS} model_fixed_step)
# One representative of each kind: loaders fed with hostile input (with a sanitized build of the library), shapes in degenerate poses,
# storage and its copies, a fixed model with a bit of everything.
set(MJX_SANITIZED_TESTS model_fixed_mesh io_xml io_mesh io_mjcf_schema compile_errors collision_closed_form_degenerate collision_convex_degenerate data_state)
set(MJX_THREAD_SANITIZED_TESTS batch_threads batch_shared_model)

function(mjx_check_runs variable flags program)
    set(CMAKE_REQUIRED_FLAGS ${flags})
    check_cxx_source_runs("${program}" ${variable})
endfunction()
mjx_check_runs(MJX_RUNS_AVX2 "" "int main() { return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")); }")
mjx_check_runs(MJX_RUNS_ASAN "-fsanitize=address,undefined" "int main() { return 0; }")
mjx_check_runs(MJX_RUNS_TSAN "-fsanitize=thread" "int main() { return 0; }")

set(MJX_ASAN_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all -g1)
set(mjx_plain_sources ${mjx_compiled_sources})
list(FILTER mjx_plain_sources EXCLUDE REGEX "(duals|derivatives|lanes)[^/]*$")
add_library(mjx_compiled_asan STATIC EXCLUDE_FROM_ALL ${mjx_plain_sources})
target_link_libraries(mjx_compiled_asan PUBLIC mjx_flags)
target_compile_definitions(mjx_compiled_asan PRIVATE MJX_COMPILED=${mjx_register_bytes})
target_compile_options(mjx_compiled_asan PRIVATE ${MJX_ASAN_FLAGS} -O0)

# Adds the test again under another name, with further compile flags.
function(mjx_add_variation name source variation label)
    mjx_add_test(${name}_${variation} ${source} ${ARGN})
    set_tests_properties(${name}_${variation} PROPERTIES LABELS ${label})
endfunction()

function(mjx_add_variations name source)
    if(name IN_LIST MJX_AVX2_TESTS AND MJX_RUNS_AVX2)
        mjx_add_variation(${name} ${source} avx2 simd -mavx2 -mfma)
    endif()
    if(name IN_LIST MJX_PACK_TESTS AND MJX_RUNS_AVX2 AND MJX_NATIVE)
        mjx_add_variation(${name} ${source} native simd ${MJX_NATIVE_FLAGS})
    endif()
    if(MJX_SANITIZE)
        return()
    endif()
    if(name IN_LIST MJX_SANITIZED_TESTS AND MJX_RUNS_ASAN)
        # checks on every access make optimizing a whole step take a minute
        set(level -O0)
        if(name IN_LIST MJX_LONG_TESTS)
            set(level -O1)
        endif()
        mjx_add_variation(${name} ${source} asan sanitizer ${MJX_ASAN_FLAGS} ${level})
        target_link_options(${name}_asan_test PRIVATE -fsanitize=address,undefined)
        target_link_libraries(${name}_asan_test PRIVATE mjx_compiled_asan)
    endif()
    if(name IN_LIST MJX_THREAD_SANITIZED_TESTS AND MJX_RUNS_TSAN)
        mjx_add_variation(${name} ${source} tsan sanitizer -fsanitize=thread -O1 -g1 -UMJX_COMPILED)  # the whole step under the sanitizer
        target_link_options(${name}_tsan_test PRIVATE -fsanitize=thread)
    endif()
endfunction()
