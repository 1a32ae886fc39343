// Memory of a Data: zeros, aligned to cache lines. The system provides its pages as they are touched, so capacities that a simulation
// does not use take address space and nothing else.
#pragma once

#include "mjx/scalar/language.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace mjx::inner {

// No memory for a simulation. (A std::bad_alloc, for programs that catch those.)
struct memory_error : std::bad_alloc {
    explicit memory_error(std::size_t bytes) {
        std::snprintf(text, sizeof text, "no memory for the %zu bytes of a simulation: a smaller <size nconmax> or njmax takes less",
                      bytes);
    }
    const char* what() const noexcept override { return text; }

  private:
    char text[128];
};

inline constexpr std::size_t cache_line = 64;

// How far apart two arrays are put, the first of so many bytes. Large ones are an odd number of lines apart: were it a multiple of a
// page, the same items of many arrays would compete for one set of the cache.
constexpr std::size_t whole_lines(std::size_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }
constexpr std::size_t spaced(std::size_t bytes) {
    const std::size_t lines = (bytes + cache_line - 1) / cache_line;
    return cache_line * (lines < 64 ? lines : (lines | 63) + 4);
}

class LazyMemory {
  public:
    LazyMemory() = default;
    explicit LazyMemory(std::size_t bytes) : block(take(bytes + cache_line)), size(bytes) {
#ifdef __cpp_exceptions
        if (!block) throw memory_error(bytes);
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
    ~LazyMemory() {
#ifdef __linux__
        if (block && size + cache_line >= large) {
            munmap(block, size + cache_line);
            return;
        }
#endif
        std::free(block);
    }

    std::size_t bytes() const { return size; }
    std::byte* begin() const {
        const std::size_t over = reinterpret_cast<std::uintptr_t>(block) % cache_line;
        return static_cast<std::byte*>(block) + (cache_line - over);
    }

  private:
    void* block = nullptr;
    std::size_t size = 0;

    // Scenes of many bodies have room for more than the machine has memory, nearly all of it never used; Linux grants address space
    // of that size if it is told so.
    static constexpr std::size_t large = std::size_t(1) << 30;
    static void* take(std::size_t bytes) {
#ifdef __linux__
        if (bytes >= large) {
            void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            return pages == MAP_FAILED ? nullptr : pages;
        }
#endif
        return std::calloc(bytes, 1);
    }
};

}  // namespace mjx::inner
