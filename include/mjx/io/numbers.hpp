// Numbers in text, independent of the locale: std::from_chars only, no streams, no strtod.
//
// Accepted: an optional sign (a leading '+' occurs in files that robots ship with), digits, a decimal point, an exponent.
// Rejected: anything left over ("1,5", "3m"), NaN and infinities, and values beyond the type's range ("1e400"). A value too
// small to represent is zero. Lists are separated by white space.
#pragma once

#include "mjx/model/list.hpp"
#include "mjx/scalar/language.hpp"

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace mjx::inner {

inline constexpr std::string_view white_space = " \t\r\n\v\f";

// Takes the next word off the front of `text`; false when there is none.
[[gnu::noinline]] inline bool take_word(std::string_view& text, std::string_view& word) {
    const std::size_t at = text.find_first_not_of(white_space);
    if (at == std::string_view::npos) return false;
    const std::size_t end = std::min(text.find_first_of(white_space, at), text.size());
    word = text.substr(at, end - at);
    text.remove_prefix(end);
    return true;
}

inline List<std::string_view> split_words(std::string_view text) {
    List<std::string_view> words;
    for (std::string_view word; take_word(text, word);) words.push_back(word);
    return words;
}

// The number that is the whole of `word`, or nothing.
template <class T>
    requires std::integral<T> || std::floating_point<T>
[[gnu::noinline]] std::optional<T> parse_number(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+') word.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size()) return {};
    if constexpr (std::floating_point<T>) {
        if (error == std::errc::result_out_of_range && word.find_first_of("eE") != std::string_view::npos &&
            word[word.find_first_of("eE") + 1] == '-')
            return T(0);
        if (error == std::errc{} && !std::isfinite(value)) return {};
    }
    if (error != std::errc{}) return {};
    return value;
}

// All numbers of a list, or nothing if a word is not a number; `bad` then holds that word.
template <class T>
[[gnu::noinline]] std::optional<List<T>> parse_numbers(std::string_view text, std::string* bad = nullptr) {
    List<T> values;
    for (std::string_view word; take_word(text, word);) {
        const auto value = parse_number<T>(word);
        if (!value && bad) *bad = std::string(word);
        if (!value) return {};
        values.push_back(*value);
    }
    return values;
}

}  // namespace mjx::inner
