// The kinds of table a model is made of: ModelTable on the heap, Array for its names, FixedArray as a literal. All are indexed by int.
#pragma once

#include "mjx/model/list.hpp"
#include "mjx/scalar/language.hpp"

#include <cassert>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace mjx::inner {

// The bytes of a ModelTable. A model has hundreds of tables of twenty types: what clears, copies and releases them does not know the
// types and walks over them (parts_of), so that it is compiled once. The owner calls clear() first and release() last.
class TableMemory {
  public:
    TableMemory() = default;
    TableMemory(const TableMemory&) = delete;
    TableMemory& operator=(const TableMemory& other) {
        if (this == &other) return *this;
        used = 0;
        grow(other.used);
        used = other.used;
        if (used > 0) std::memcpy(first, other.first, used);
        return *this;
    }
    void swap(TableMemory& other) noexcept {
        std::swap(first, other.first);
        std::swap(used, other.used);
        std::swap(reserved, other.reserved);
    }
    void clear() noexcept {
        first = nullptr;
        used = reserved = 0;
    }
    void release() noexcept { ::operator delete(first, alignment); }
    void* bytes() { return first; }
    std::size_t byte_count() const { return used; }
    friend bool same_bytes(const TableMemory& a, const TableMemory& b) {
        return a.used == b.used && (a.used == 0 || std::memcmp(a.first, b.first, a.used) == 0);
    }

  protected:
    void* first;
    std::size_t used, reserved;

    [[gnu::noinline]] void grow(std::size_t bytes) {
        if (bytes <= reserved) return;
        void* const grown = ::operator new(bytes, alignment);
        if (used > 0) std::memcpy(grown, first, used);
        release();
        first = grown;
        reserved = bytes;
    }

  private:
    static constexpr std::align_val_t alignment{64};  // enough for packs
};

// A table of a model: grows like a vector.
template <class T>
class ModelTable : public TableMemory {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    using value_type = T;

    T& operator[](int i) { return data()[i]; }
    const T& operator[](int i) const { return data()[i]; }
    int size() const { return static_cast<int>(used / sizeof(T)); }
    [[gnu::noinline]] void resize(int n, const T& value = T{}) {
        const T copy = value;  // it may be an item
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
        grow(bytes);
        for (int i = size(); i < n; ++i) data()[i] = copy;
        used = bytes;
    }
    [[gnu::noinline]] void push_back(const T& value) {
        const T copy = value;
        if (used == reserved) grow(2 * used + sizeof(T));
        data()[size()] = copy;
        used += sizeof(T);
    }
    T* data() { return static_cast<T*>(first); }
    const T* data() const { return static_cast<const T*>(first); }
    T* begin() { return data(); }
    T* end() { return data() + size(); }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }
};

// A list counted by int, as tables are; of anything.
template <class T>
class Array : public List<T> {
  public:
    using List<T>::List;
    int size() const { return static_cast<int>(List<T>::size()); }
    void resize(int n, const T& value = T{}) { List<T>::resize(static_cast<std::size_t>(n), value); }
};

template <class T, int N>
struct FixedArray {
    T e[N];
    constexpr T& operator[](int i) { return e[i]; }
    constexpr const T& operator[](int i) const { return e[i]; }
    static constexpr int size() { return N; }
    constexpr T* data() { return e; }
    constexpr const T* data() const { return e; }
    constexpr T* begin() { return e; }
    constexpr T* end() { return e + N; }
    constexpr const T* begin() const { return e; }
    constexpr const T* end() const { return e + N; }
    using value_type = T;
};

// An empty table still has an operator[] to compile against; no index is ever in range. Its one item keeps compilers from warning about
// code for objects that the model does not have.
template <class T>
struct FixedArray<T, 0> {
    T e[1];
    constexpr T& operator[](int) { return e[0]; }
    constexpr const T& operator[](int) const { return e[0]; }
    static constexpr int size() { return 0; }
    constexpr T* data() { return e; }
    constexpr const T* data() const { return e; }
    constexpr T* begin() { return e; }
    constexpr T* end() { return e; }
    constexpr const T* begin() const { return e; }
    constexpr const T* end() const { return e; }
    using value_type = T;
};

// A view of n items somewhere else: what Data for runtime models is made of. Not set until it is given its items: Data sets hundreds.
template <class T>
struct Span {
    T* first;
    int count;

    constexpr T& operator[](int i) const {
        assert(i >= 0 && i < count);
        return first[i];
    }
    constexpr int size() const { return count; }
    constexpr T* data() const { return first; }
    constexpr T* begin() const { return first; }
    constexpr T* end() const { return first + count; }
    using value_type = T;
};

// The members of an object that has nothing but P's, or classes that add nothing to P, as an array of P.
template <class P, class Object>
Span<P> parts_of(Object& object) {
    static_assert(sizeof(Object) % sizeof(P) == 0 && alignof(Object) == alignof(P));
    return {reinterpret_cast<P*>(&object), static_cast<int>(sizeof(Object) / sizeof(P))};
}

}  // namespace mjx::inner
