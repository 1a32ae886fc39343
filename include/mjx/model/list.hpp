// List<T>: items one after the other, the part of std::vector that models need while they are read and compiled. A loader keeps lists of
// forty types, and a std::vector of each is a hundred functions to compile. Here iterators are pointers and there is one way to grow, which
// took a sixth off the compile time of a program that loads a model. Moving a T may not throw. A list is made of any range, and turns into
// any vector.
#pragma once

#include "mjx/scalar/language.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace mjx::inner {

// Room for n items; for more bytes than there are numbers, operator new is asked for more than there can be, and throws.
[[gnu::cold, gnu::noinline]] inline void* list_memory(std::size_t n, std::size_t size) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
    const std::size_t bytes = n > most / size ? most : n * size;
    return ::operator new(bytes);
}
// Of items that are plain bytes: the same for all types of them.
[[gnu::cold, gnu::noinline]] inline void* grow_bytes(void* first, std::size_t count, std::size_t n, std::size_t size) {
    void* const grown = list_memory(n, size);
    if (count > 0) std::memcpy(grown, first, count * size);
    ::operator delete(first);
    return grown;
}

template <class T>
class List {
  public:
    using value_type = T;

    List() = default;
    [[gnu::cold]] List(const List& other) : List() { append(other.begin(), other.end()); }
    List(List&& other) noexcept { swap(other); }
    List(std::initializer_list<T> items) : List() { append(items.begin(), items.end()); }
    explicit List(std::size_t n) : List() { resize(n); }
    List(std::size_t n, const T& value) : List() { resize(n, value); }
    template <class I>
        requires(!std::integral<I>)
    List(I from, I to) : List() {
        append(from, to);
    }
    template <class Range>
        requires(!std::same_as<Range, List> && std::same_as<typename Range::value_type, T>)
    List(const Range& range) : List() {
        append(range.begin(), range.end());
    }
    List& operator=(const List& other) {
        List copy(other);
        swap(copy);
        return *this;
    }
    List& operator=(List&& other) noexcept {
        List taken(std::move(other));
        swap(taken);
        return *this;
    }
    [[gnu::cold]] ~List() {
        clear();
        ::operator delete(first);
    }
    template <class Range>
        requires(!std::same_as<Range, List> && std::same_as<typename Range::value_type, T>)
    operator Range() const {
        return Range(begin(), end());
    }

    std::size_t size() const { return count; }
    bool empty() const { return count == 0; }
    T* data() { return first; }
    const T* data() const { return first; }
    T* begin() { return first; }
    const T* begin() const { return first; }
    T* end() { return first + count; }
    const T* end() const { return first + count; }
    T& operator[](std::integral auto i) { return first[i]; }
    const T& operator[](std::integral auto i) const { return first[i]; }
    T& front() { return *first; }
    const T& front() const { return *first; }
    T& back() { return first[count - 1]; }
    const T& back() const { return first[count - 1]; }

    T& push_back(T value) {
        if (count == room) grow(2 * count + 4);
        return *new (first + count++) T(std::move(value));
    }
    // For an aggregate as for a class.
    template <class... From>
    T& emplace_back(From&&... from) {
        return push_back(T{std::forward<From>(from)...});
    }
    // The range may not be the list's own.
    template <class I>
        requires(!std::integral<I>)
    void append(I from, I to) {
        make_room(count + static_cast<std::size_t>(std::distance(from, to)));
        for (; from != to; ++from, ++count) new (first + count) T(*from);
    }
    void append(std::size_t n, const T& value) { resize(count + n, value); }
    void append(std::initializer_list<T> items) { append(items.begin(), items.end()); }
    template <class I>
    void assign(I from, I to) {
        clear();
        append(from, to);
    }
    void resize(std::size_t n) {
        make_room(n);
        for (; count < n; ++count) new (first + count) T();
        shrink(n);
    }
    void resize(std::size_t n, const T& value) {
        const T copy = value;  // it may be an item
        make_room(n);
        for (; count < n; ++count) new (first + count) T(copy);
        shrink(n);
    }
    void reserve(std::size_t n) {
        if (n > room) grow(n);
    }
    void pop_back() { shrink(count - 1); }
    void clear() { shrink(0); }
    T* erase(T* from, T* to) {
        T* kept = from;
        for (T* item = to; item != end(); ++item) *kept++ = std::move(*item);
        shrink(static_cast<std::size_t>(kept - first));
        return from;
    }
    T* erase(T* at) { return erase(at, at + 1); }
    template <class F>
    void erase_if(F&& f) {
        T* kept = first;
        for (T& item : *this)
            if (!f(item)) std::swap(*kept++, item);
        shrink(static_cast<std::size_t>(kept - first));
    }
    void swap(List& other) noexcept {
        std::swap(first, other.first);
        std::swap(count, other.count);
        std::swap(room, other.room);
    }
    friend bool operator==(const List& a, const List& b) {
        std::size_t i = 0;
        if (a.count == b.count)
            while (i < a.count && a.first[i] == b.first[i]) ++i;
        return a.count == b.count && i == a.count;
    }

  private:
    T* first = nullptr;
    std::size_t count = 0, room = 0;

    // Many small steps cost no more than one large one.
    void make_room(std::size_t n) {
        if (n > room) grow(std::max(n, 2 * count));
    }
    void shrink(std::size_t n) {
        if constexpr (!std::is_trivially_destructible_v<T>)
            for (std::size_t i = n; i < count; ++i) first[i].~T();
        count = n;
    }
    void grow(std::size_t n) {
        static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
        if constexpr (std::is_trivially_copyable_v<T>)
            first = static_cast<T*>(grow_bytes(first, count, n, sizeof(T)));
        else
            move_to(static_cast<T*>(list_memory(n, sizeof(T))));
        room = n;
    }
    [[gnu::cold, gnu::noinline]] void move_to(T* grown) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            new (grown + i) T(std::move(first[i]));
            first[i].~T();
        }
        ::operator delete(first);
        first = grown;
    }
};

// The numbers in ascending order, each once.
[[gnu::cold, gnu::noinline]] inline void sort_unique(List<int>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace mjx::inner
