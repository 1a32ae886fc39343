// The two kinds of table a model is made of: Array on the heap, FixedArray as a literal. Both are indexed by int.
#pragma once

#include <vector>

namespace mjx {

// A model has hundreds of these: copies and destructors stay out of line, which halves what a model costs to compile.
template <class T>
struct Array {
    std::vector<T> items;

    Array() = default;
    [[gnu::noinline]] Array(const Array& other) : items(other.items) {}
    [[gnu::noinline]] Array& operator=(const Array& other) {
        items = other.items;
        return *this;
    }
    Array(Array&&) noexcept = default;
    Array& operator=(Array&&) noexcept = default;
    [[gnu::noinline]] ~Array() {}

    T& operator[](int i) { return items[static_cast<std::size_t>(i)]; }
    const T& operator[](int i) const { return items[static_cast<std::size_t>(i)]; }
    int size() const { return static_cast<int>(items.size()); }
    void resize(int n, const T& value = T{}) { items.resize(static_cast<std::size_t>(n), value); }
    void push_back(const T& value) { items.push_back(value); }
    T* data() { return items.data(); }
    const T* data() const { return items.data(); }
    auto begin() { return items.begin(); }
    auto end() { return items.end(); }
    auto begin() const { return items.begin(); }
    auto end() const { return items.end(); }
    using value_type = T;
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

// A view of n items somewhere else: what Data for runtime models is made of.
template <class T>
struct Span {
    T* first = nullptr;
    int count = 0;

    constexpr T& operator[](int i) const { return first[i]; }
    constexpr T& operator()(int i) const { return first[i]; }
    constexpr int size() const { return count; }
    constexpr T* data() const { return first; }
    constexpr T* begin() const { return first; }
    constexpr T* end() const { return first + count; }
    using value_type = T;
};

}  // namespace mjx
