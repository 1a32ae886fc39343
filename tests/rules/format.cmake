# Checks that CLANG_FORMAT would change nothing in SOURCES, patterns below ROOT.
#   clang-format-16 -i <file>      puts a file right
cmake_minimum_required(VERSION 3.20)
list(TRANSFORM SOURCES PREPEND ${ROOT}/)
file(GLOB_RECURSE files ${SOURCES})
execute_process(COMMAND ${CLANG_FORMAT} --style=file --dry-run -Werror ${files} RESULT_VARIABLE result ERROR_VARIABLE complaints)
list(LENGTH files count)
if(NOT result EQUAL 0)
    string(REGEX MATCHALL "[^\n]+: error: code should be clang-formatted" places "${complaints}")
    list(JOIN places "\n  " places)
    message(FATAL_ERROR "the layout is not that of .clang-format:\n  ${places}")
endif()
message(STATUS "format: ${count} files checked")
