// Bytes for files and browsers: numbers in little-endian order, base64, PNG.
#pragma once

#include "mjx/io/deflate.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace mjx::inner::show {

static_assert(std::endian::native == std::endian::little, "pages and glTF files hold little-endian numbers");

// A growing list of bytes.
struct Bytes {
    std::string data{};

    template <class T>
    void put(const T& x) {
        static_assert(std::is_trivially_copyable_v<T>);
        data.append(reinterpret_cast<const char*>(&x), sizeof(T));
    }
    template <class T>
    void put_all(const std::vector<T>& list) {
        static_assert(std::is_trivially_copyable_v<T>);
        data.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
    }
    void align(std::size_t to) {
        while (data.size() % to != 0) data.push_back('\0');
    }
    std::size_t size() const { return data.size(); }
};

inline std::string base64(std::string_view bytes) {
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += k <= n ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

// A picture of width * height pixels, three bytes each, as a PNG file.
inline std::string png(std::uint32_t width, std::uint32_t height, std::string_view rgb) {
    std::string out = "\x89PNG\r\n\x1a\n", head, rows;
    const auto chunk = [&](const std::string& kind_and_data) {
        put_big_endian(out, static_cast<std::uint32_t>(kind_and_data.size() - 4));
        out += kind_and_data;
        put_big_endian(out, crc_checksum(kind_and_data));
    };
    head = "IHDR";
    put_big_endian(head, width);
    put_big_endian(head, height);
    head += std::string("\x08\x02\0\0\0", 5);
    for (std::uint32_t r = 0; r < height; ++r) {
        rows += '\0';
        rows += rgb.substr(std::size_t{3} * width * r, std::size_t{3} * width);
    }
    chunk(head);
    chunk("IDAT" + compressed(rows));
    chunk("IEND");
    return out;
}

}  // namespace mjx::inner::show
