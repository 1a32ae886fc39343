// read_bytes: a whole file, on disk or in an archive, as bytes, and the little-endian numbers in it, checked against its end.
#pragma once

#include "mjx/io/archive.hpp"

#include <bit>
#include <cstddef>

namespace mjx::inner {

static_assert(std::endian::native == std::endian::little, "binary assets are little-endian and are read as they are");

// `where` names the element that asks for the file.
[[gnu::cold]] inline List<char> read_bytes(const std::string& path, const std::string& where) {
    std::error_code trouble;
    const std::string prefix = where + ": file '" + path + "': ";
    constexpr std::streamoff most = std::streamoff(1) << 30;
    const char* const too_large = "is larger than 1 GB";
    if (const auto place = place_in_archive(path)) return Archive(place->archive).read(place->member, prefix, most, too_large);
    if (!std::filesystem::is_regular_file(path, trouble)) throw_model_error({prefix, "cannot be opened, expected a readable file"});
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : -1;
    if (size < 0) throw_model_error({prefix, "cannot be opened, expected a readable file"});
    if (size > most) throw_model_error({prefix, too_large});
    List<char> bytes(static_cast<std::size_t>(size));
    in.seekg(0);
    if (size > 0 && !in.read(bytes.data(), size)) throw_model_error({prefix, "cannot be read to its end"});
    return bytes;
}

// The n numbers of type T that start at byte `at`; the caller has checked that they are there.
template <class T>
List<T> numbers_at(const List<char>& bytes, std::size_t at, std::size_t n) {
    List<T> values(n);
    if (n > 0) std::memcpy(values.data(), bytes.data() + at, n * sizeof(T));
    return values;
}

// What kind of asset a file holds: its declared content type ("model/obj; ..."), or its extension in lower case with the dot.
[[gnu::cold]] inline std::string asset_kind(const std::string& path, const std::string& content_type) {
    std::string kind = content_type.empty() ? std::filesystem::path(path).extension().string()
                                            : content_type.substr(0, content_type.find_first_of("; "));
    for (char& c : kind) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return kind;
}

}  // namespace mjx::inner
