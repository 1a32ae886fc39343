// The two kinds of table a model is made of: Array on the heap, FixedArray as a literal. Both are indexed by int.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace mjx {

// Grows like a vector. A model has hundreds of these, of twenty types: a class of its own, with copies and destructors out of line,
// is a fraction of a vector to compile. A copy for which there is no memory ends the program: were it to throw, the copy of a model
// would have to undo itself from any of them.
template <class T>
class Array {
  public:
    using value_type = T;

    Array() = default;
    [[gnu::noinline]] Array(const Array& other) noexcept : count(other.count), room(other.count) {
        if (count == 0) return;
        first = new T[count];
        if constexpr (std::is_trivially_copyable_v<T>)
            std::memcpy(static_cast<void*>(first), other.first, count * sizeof(T));
        else
            for (std::size_t i = 0; i < count; ++i) first[i] = other.first[i];
    }
    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(Array other) noexcept {
        swap(other);
        return *this;
    }
    [[gnu::noinline]] ~Array() { delete[] first; }

    T& operator[](int i) { return first[i]; }
    const T& operator[](int i) const { return first[i]; }
    int size() const { return static_cast<int>(count); }
    void resize(int n, const T& value = T{}) {
        const auto size = static_cast<std::size_t>(n);
        const T copy = value;  // it may be an item
        reserve(size);
        for (; count < size; ++count) first[count] = copy;
        count = size;
    }
    void push_back(T value) {
        if (count == room) reserve(2 * count + 1);
        first[count++] = std::move(value);
    }
    T* data() { return first; }
    const T* data() const { return first; }
    T* begin() { return first; }
    T* end() { return first + count; }
    const T* begin() const { return first; }
    const T* end() const { return first + count; }

  private:
    T* first = nullptr;
    std::size_t count = 0, room = 0;

    void reserve(std::size_t n) {
        if (n <= room) return;
        T* const grown = new T[n];
        for (std::size_t i = 0; i < count; ++i) grown[i] = std::move(first[i]);
        delete[] first;
        first = grown;
        room = n;
    }
    void swap(Array& other) noexcept {
        std::swap(first, other.first);
        std::swap(count, other.count);
        std::swap(room, other.room);
    }
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

    constexpr T& operator[](int i) const { return first[i]; }
    constexpr T& operator()(int i) const { return first[i]; }
    constexpr int size() const { return count; }
    constexpr T* data() const { return first; }
    constexpr T* begin() const { return first; }
    constexpr T* end() const { return first + count; }
    using value_type = T;
};

}  // namespace mjx
