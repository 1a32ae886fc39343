// SpecList<T>: the lists of a Spec. An element stays where it is while the list grows, so references to it stay valid, and the contents
// of one list move into another by relinking. It is the part of std::list that models need, in a fraction of the code: the links
// are handled once for all T. T may be incomplete where the list is declared (a body holds bodies).
#pragma once

#include "mjx/scalar/language.hpp"

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace mjx::inner {

struct SpecLink {
    SpecLink* previous = nullptr;
    SpecLink* next = nullptr;
};

// A chain of links with two ends. `place` is the link before which something goes; null is the end.
struct SpecChain {
    SpecLink* first = nullptr;
    SpecLink* last = nullptr;
    std::size_t count = 0;

    // Takes over all links of `other`.
    [[gnu::noinline]] void splice(SpecLink* place, SpecChain& other) noexcept {
        if (other.count == 0) return;
        SpecLink* before = place ? place->previous : last;
        (before ? before->next : first) = other.first;
        (place ? place->previous : last) = other.last;
        other.first->previous = before;
        other.last->next = place;
        count += other.count;
        other = {};
    }
    void append(SpecLink* link) noexcept {
        SpecChain single{link, link, 1};
        splice(nullptr, single);
    }
    [[gnu::noinline]] void remove(SpecLink* link) noexcept {
        (link->previous ? link->previous->next : first) = link->next;
        (link->next ? link->next->previous : last) = link->previous;
        --count;
    }
};

template <class T>
class SpecList {
    struct Node : SpecLink {
        template <class... From>
        explicit Node(From&&... from) : value{std::forward<From>(from)...} {}
        T value;
    };

    template <class V>
    class Iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = std::remove_const_t<V>;
        using difference_type = std::ptrdiff_t;
        using pointer = V*;
        using reference = V&;

        Iterator() = default;
        explicit Iterator(SpecLink* at) : link(at) {}
        V& operator*() const { return static_cast<Node*>(link)->value; }
        V* operator->() const { return &**this; }
        Iterator& operator++() {
            link = link->next;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator old = *this;
            link = link->next;
            return old;
        }
        bool operator==(const Iterator&) const = default;

      private:
        friend SpecList;
        SpecLink* link = nullptr;
    };

  public:
    using value_type = T;
    using iterator = Iterator<T>;
    using const_iterator = Iterator<const T>;

    SpecList() = default;
    [[gnu::cold, gnu::noinline]] SpecList(const SpecList& other) {
        for (const T& value : other) emplace_back(value);
    }
    SpecList(SpecList&& other) noexcept : chain(std::exchange(other.chain, {})) {}
    SpecList& operator=(const SpecList& other) {
        SpecList copy(other);
        std::swap(chain, copy.chain);
        return *this;
    }
    SpecList& operator=(SpecList&& other) noexcept {
        SpecList taken(std::move(other));
        std::swap(chain, taken.chain);
        return *this;
    }
    ~SpecList() { clear(); }

    std::size_t size() const { return chain.count; }
    bool empty() const { return chain.count == 0; }
    iterator begin() { return iterator(chain.first); }
    iterator end() { return iterator(nullptr); }
    const_iterator begin() const { return const_iterator(chain.first); }
    const_iterator end() const { return const_iterator(nullptr); }
    T& front() { return *begin(); }
    const T& front() const { return *begin(); }
    T& back() { return static_cast<Node*>(chain.last)->value; }
    const T& back() const { return static_cast<const Node*>(chain.last)->value; }

    template <class... From>
    [[gnu::cold, gnu::noinline]] T& emplace_back(From&&... from) {
        Node* node = new Node(std::forward<From>(from)...);
        chain.append(node);
        return node->value;
    }
    T& push_back(T value) { return emplace_back(std::move(value)); }

    iterator erase(iterator at) {
        const iterator next(at.link->next);
        chain.remove(at.link);
        delete static_cast<Node*>(at.link);
        return next;
    }
    void pop_back() { erase(iterator(chain.last)); }
    [[gnu::cold, gnu::noinline]] void clear() noexcept {
        for (SpecLink* link = std::exchange(chain, {}).first; link;) delete static_cast<Node*>(std::exchange(link, link->next));
    }
    // The elements of `other` go before `place`, or to the end.
    void splice(iterator place, SpecList& other) noexcept { chain.splice(place.link, other.chain); }

  private:
    SpecChain chain{};
};

}  // namespace mjx::inner
