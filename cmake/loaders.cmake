# mjx::loaders: mjx::mjx with the loaders of models in a library, for programs that want to compile fast. Built when something links it.
set(mjx_loader_sources ${CMAKE_CURRENT_LIST_DIR}/loaders/parse.cpp ${CMAKE_CURRENT_LIST_DIR}/loaders/compile.cpp)
add_library(mjx_loaders STATIC EXCLUDE_FROM_ALL ${mjx_loader_sources})
add_library(mjx::loaders ALIAS mjx_loaders)
target_link_libraries(mjx_loaders PUBLIC mjx::mjx)
target_compile_definitions(mjx_loaders INTERFACE MJX_LOADERS_DECLARED)
# Derived constants are rounded the same way whatever instructions the flags of the program allow.
target_compile_options(mjx_loaders PRIVATE -ffp-contract=off)
