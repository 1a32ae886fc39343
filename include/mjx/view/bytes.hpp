// Bytes for files and browsers: numbers in little-endian order, base64, and zlib's format (the only zlib include).
//
// Where zlib is missing (MJX_HAVE_ZLIB not defined), data are stored in its format without being made smaller.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef MJX_HAVE_ZLIB
#include <zlib.h>
#endif

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

// Checksum of the zlib format (RFC 1950).
inline std::uint32_t adler_checksum(std::string_view bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char c : bytes) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

// Checksum of PNG (ISO 3309).
inline std::uint32_t crc_checksum(std::string_view bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

inline void put_big_endian(std::string& out, std::uint32_t x) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(x >> shift & 255);
}

// RFC 1950 and 1951 with blocks that are stored as they are.
inline std::string stored(std::string_view bytes) {
    constexpr std::size_t most = 65535;
    std::string out = "\x78\x01";
    std::size_t at = 0;
    do {
        const std::size_t n = std::min(most, bytes.size() - at);
        out += static_cast<char>(at + n == bytes.size());
        for (const std::size_t x : {n, ~n}) {
            out += static_cast<char>(x & 255);
            out += static_cast<char>(x >> 8 & 255);
        }
        out += bytes.substr(at, n);
        at += n;
    } while (at < bytes.size());
    put_big_endian(out, adler_checksum(bytes));
    return out;
}

inline std::string compressed(std::string_view bytes) {
#ifdef MJX_HAVE_ZLIB
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const auto* from = reinterpret_cast<const Bytef*>(bytes.data());
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, from, static_cast<uLong>(bytes.size()), 9) != Z_OK)
        throw std::runtime_error("data could not be compressed");
    out.resize(size);
    return out;
#else
    return stored(bytes);
#endif
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
