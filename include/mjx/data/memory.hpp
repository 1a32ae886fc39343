// Memory of a Data: zeros, aligned to cache lines. The system provides its pages as they are touched, so capacities that a simulation
// does not use take address space and nothing else.
#pragma once

#include "mjx/scalar/language.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace mjx::inner {

inline constexpr std::size_t cache_line = 64;

// How far apart two arrays are put, the first of so many bytes. Large ones are an odd number of lines apart: were it a multiple of a
// page, the same items of many arrays would compete for one set of the cache.
constexpr std::size_t spaced(std::size_t bytes) {
    const std::size_t lines = (bytes + cache_line - 1) / cache_line;
    return cache_line * (lines < 64 ? lines : (lines | 63) + 4);
}

class LazyMemory {
  public:
    LazyMemory() = default;
    explicit LazyMemory(std::size_t bytes) : block(std::calloc(bytes + cache_line, 1)), size(bytes) {
#ifdef __cpp_exceptions
        if (!block) throw std::bad_alloc();
#else
        if (!block) std::abort();  // a program with fixed models only, which has no such memory, may be built without exceptions
#endif
    }
    LazyMemory(LazyMemory&& other) noexcept : block(std::exchange(other.block, nullptr)), size(std::exchange(other.size, 0)) {}
    LazyMemory& operator=(LazyMemory&& other) noexcept {
        std::swap(block, other.block);
        std::swap(size, other.size);
        return *this;
    }
    ~LazyMemory() { std::free(block); }

    std::size_t bytes() const { return size; }
    std::byte* begin() const {
        const std::size_t over = reinterpret_cast<std::uintptr_t>(block) % cache_line;
        return static_cast<std::byte*>(block) + (cache_line - over);
    }

  private:
    void* block = nullptr;
    std::size_t size = 0;
};

}  // namespace mjx::inner
