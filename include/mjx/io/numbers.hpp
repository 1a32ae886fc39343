// Numbers in text, independent of the locale: std::from_chars only, no streams, no strtod.
//
// Accepted: an optional sign (a leading '+' occurs in files that robots ship with), digits, a decimal point, an exponent.
// Rejected: anything left over ("1,5", "3m"), NaN and infinities, and values beyond the type's range ("1e400"). A value too
// small to represent is zero. Lists are separated by white space.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace mjx {

inline constexpr std::string_view white_space = " \t\r\n\v\f";

// Calls f(word) for each word of the text, from left to right, until f returns false.
template <class F>
void for_each_word(std::string_view text, F&& f) {
    for (std::size_t at = text.find_first_not_of(white_space); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(white_space, at), text.size());
        if (!f(text.substr(at, end - at))) return;
        at = text.find_first_not_of(white_space, end);
    }
}

inline std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    for_each_word(text, [&](std::string_view word) {
        words.push_back(word);
        return true;
    });
    return words;
}

// The number that is the whole of `word`, or nothing.
template <class T>
    requires std::integral<T> || std::floating_point<T>
std::optional<T> parse_number(std::string_view word) {
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
std::optional<std::vector<T>> parse_numbers(std::string_view text, std::string* bad = nullptr) {
    std::vector<T> values;
    bool good = true;
    for_each_word(text, [&](std::string_view word) {
        const auto value = parse_number<T>(word);
        good = value.has_value();
        if (good) values.push_back(*value);
        else if (bad) *bad = std::string(word);
        return good;
    });
    if (!good) return {};
    return values;
}

}  // namespace mjx
