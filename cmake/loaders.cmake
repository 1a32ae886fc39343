# mjx::loaders: mjx::mjx with the loaders of models in a library, for programs that want to compile fast. Built when something links it.
add_library(mjx_loaders STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/loaders.cpp)
add_library(mjx::loaders ALIAS mjx_loaders)
target_link_libraries(mjx_loaders PUBLIC mjx::mjx)
target_compile_definitions(mjx_loaders INTERFACE MJX_LOADERS_DECLARED)
