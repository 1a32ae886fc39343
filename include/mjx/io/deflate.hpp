// Compressed bytes: zlib's format (RFC 1950), its blocks alone (RFC 1951), and the checksums around them (the only zlib include).
//
// Where zlib is missing (MJX_HAVE_ZLIB not defined), data are stored in its format without being made smaller, and compressed ones cannot
// be read.
#pragma once

#include "mjx/model/list.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#ifdef MJX_HAVE_ZLIB
#include <zlib.h>
#endif

namespace mjx::inner {

// Checksum of the zlib format (RFC 1950).
inline std::uint32_t adler_checksum(std::string_view bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char c : bytes) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

// Checksum of PNG and ZIP (ISO 3309).
inline std::uint32_t crc_checksum(std::string_view bytes) {
#ifdef MJX_HAVE_ZLIB
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
#else
    std::uint32_t crc = 0xffffffffu;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
#endif
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

// Opens blocks that hold as many bytes as `out` has room for, all of it; an error in words, or nothing.
inline const char* inflate_into(std::string_view blocks, List<char>& out) {
#ifdef MJX_HAVE_ZLIB
    z_stream stream{};
    constexpr int without_header = -15;
    if (inflateInit2(&stream, without_header) != Z_OK) return "cannot be opened: no memory";
    char room = 0;  // zlib wants a place even for nothing
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(blocks.data()));
    stream.avail_in = static_cast<uInt>(blocks.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.empty() ? &room : out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int answer = inflate(&stream, Z_FINISH);
    const bool whole = answer == Z_STREAM_END && stream.total_out == out.size();
    inflateEnd(&stream);
    return whole ? nullptr : "is broken: its compressed data are not what its size says";
#else
    (void)blocks, (void)out;
    return "is compressed, which needs zlib, and mjx was built without it (define MJX_HAVE_ZLIB and link z)";
#endif
}

}  // namespace mjx::inner
