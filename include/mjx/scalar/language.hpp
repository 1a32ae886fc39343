// What mjx asks of a compiler, said in one sentence: every header includes this one before what an older compiler would stumble over.
#pragma once

#if __cplusplus < 202002L || defined(__clang__) && __clang_major__ < 14 || !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 12
#error mjx needs C++20: g++ 12 or clang 14 or newer
#include "mjx/scalar/needs_a_newer_compiler"  // there is no such file: here the compiler stops, and nothing buries the sentence above
#endif
