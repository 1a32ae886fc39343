// NameMap: numbers by name, in alphabetical order. The readers and the compiler look things up by name in a dozen places; a map of each
// type is a hundred functions to compile, so there is one, and what is not a number is at a place that the number says.
#pragma once

#include "mjx/scalar/language.hpp"

#include <map>
#include <string>
#include <string_view>

namespace mjx::inner {

class NameMap {
  public:
    // The number, or null.
    [[gnu::noinline]] const int* find(std::string_view name) const {
        const auto found = numbers.find(name);
        return found == numbers.end() ? nullptr : &found->second;
    }
    bool contains(std::string_view name) const { return find(name); }
    // False, and no change, when the name is there.
    [[gnu::noinline]] bool add(std::string_view name, int number = 0) { return numbers.emplace(name, number).second; }
    // The number to be changed, 0 for a new name.
    [[gnu::noinline]] int& operator[](std::string_view name) { return numbers.emplace(name, 0).first->second; }
    [[gnu::noinline]] void remove(std::string_view name) {
        if (const auto found = numbers.find(name); found != numbers.end()) numbers.erase(found);
    }
    void clear() { numbers.clear(); }
    bool empty() const { return numbers.empty(); }
    auto begin() const { return numbers.begin(); }
    auto end() const { return numbers.end(); }

  private:
    std::map<std::string, int, std::less<>> numbers{};
};

}  // namespace mjx::inner
