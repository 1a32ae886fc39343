// ArchiveWriter: files one after the other into a ZIP archive, with no times, so that the same files make the same archive.
#pragma once

#include "mjx/io/deflate.hpp"

namespace mjx::inner {

class ArchiveWriter {
    std::string bytes_{}, list_{};
    unsigned count_ = 0;

    static void put(std::string& out, std::uint64_t x, int bytes) {
        for (int i = 0; i < bytes; ++i) out += static_cast<char>(x >> 8 * i & 255);
    }
    // What a file's own head and its entry in the list have in common.
    static void put_head(std::string& out, std::string_view name, std::string_view content, std::size_t packed) {
        constexpr unsigned version = 20, names_in_utf8 = 1 << 11, deflated = 8, new_year_1980 = 1 << 5 | 1;
        for (const unsigned x : {version, names_in_utf8, deflated, 0u, new_year_1980}) put(out, x, 2);
        put(out, crc_checksum(content), 4);
        put(out, packed, 4);
        put(out, content.size(), 4);
        put(out, name.size(), 2);
        put(out, 0, 2);
    }

  public:
    void add(std::string_view name, std::string_view content) {
        constexpr std::uint64_t most = 0xfffffffe;
        const std::string whole = compressed(content), packed = whole.substr(2, whole.size() - 6);  // without zlib's head and checksum
        if (count_ == 0xfffe || name.size() > 0xffff || content.size() > most || bytes_.size() + packed.size() > most)
            throw std::runtime_error("an archive holds at most 65534 files and 4 GB");
        put(list_, 0x02014b50, 4);
        put(list_, 20, 2);
        put_head(list_, name, content, packed.size());
        for (const int size : {2, 2, 2, 4}) put(list_, 0, size);
        put(list_, bytes_.size(), 4);
        list_ += name;
        put(bytes_, 0x04034b50, 4);
        put_head(bytes_, name, content, packed.size());
        bytes_ += name;
        bytes_ += packed;
        ++count_;
    }
    std::string finish() const {
        std::string out = bytes_ + list_;
        put(out, 0x06054b50, 4);
        put(out, 0, 4);
        put(out, count_, 2);
        put(out, count_, 2);
        put(out, list_.size(), 4);
        put(out, bytes_.size(), 4);
        put(out, 0, 2);
        return out;
    }
};

}  // namespace mjx::inner
