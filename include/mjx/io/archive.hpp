// Archives: models with their assets in one ZIP file, .mjz or .zip (PKWARE's APPNOTE 6.3, without encryption and ZIP64).
//
// What is in an archive has a path through it, as in MuJoCo: "robot.mjz/assets/base.obj". Nothing is unpacked to disk; a member is looked
// up by its name, held against the sizes and the checksum that the archive announces, and no larger than its reader allows.
#pragma once

#include "mjx/io/deflate.hpp"
#include "mjx/model/spec.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace mjx::inner {

[[gnu::cold]] inline bool is_archive_name(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return ending == ".mjz" || ending == ".zip";
}

struct ArchivePlace {
    std::string archive, member;
};

// Where a path leads through an archive, if it does. A name that leads out of it again, by "..", is nobody's.
[[gnu::cold]] inline std::optional<ArchivePlace> place_in_archive(const std::filesystem::path& path) {
    std::filesystem::path whole;
    std::error_code error;
    for (auto part = path.begin(); part != path.end(); ++part) {
        whole /= *part;
        if (!is_archive_name(*part) || !std::filesystem::is_regular_file(whole, error)) continue;
        std::filesystem::path rest;
        while (++part != path.end()) rest /= *part;
        if (rest.empty()) return std::nullopt;
        return ArchivePlace{whole.string(), rest.lexically_normal().generic_string()};
    }
    return std::nullopt;
}

// The list at the end of an archive.
class Archive {
    struct Member {
        std::string_view name;
        unsigned flags, method;
        std::uint32_t checksum;
        std::uint64_t packed, size, at;
    };
    std::ifstream in_;
    std::string path_;
    std::uint64_t size_ = 0;
    List<char> list_{};
    std::uint64_t count_ = 0;

    [[noreturn]] void fail(std::string_view what) const { throw_model_error({path_, ": ", what}); }

    static std::uint64_t number(const char* at, int bytes) {
        std::uint64_t x = 0;
        for (int i = bytes; i-- > 0;) x = x << 8 | static_cast<unsigned char>(at[i]);
        return x;
    }
    List<char> read(std::uint64_t at, std::uint64_t n) {
        if (at > size_ || n > size_ - at) fail("is a broken archive: it names a place behind its end");
        List<char> bytes(n);
        in_.seekg(static_cast<std::streamoff>(at));
        if (n > 0 && !in_.read(bytes.data(), static_cast<std::streamsize>(n))) fail("cannot be read");
        return bytes;
    }

    // Its last record says where the list is; behind it is only a comment.
    void find_list() {
        constexpr std::uint64_t record = 22, longest_comment = 65535;
        const std::uint64_t n = std::min(size_, record + longest_comment);
        const List<char> end = read(size_ - n, n);
        for (std::uint64_t i = n >= record ? n - record + 1 : 0; i-- > 0;) {
            const char* at = end.data() + i;
            if (number(at, 4) != 0x06054b50 || i + record + number(at + 20, 2) != n) continue;
            count_ = number(at + 10, 2);
            const std::uint64_t length = number(at + 12, 4), start = number(at + 16, 4);
            if (number(at + 4, 4) != 0 || count_ == 0xffff || length == 0xffffffff || start == 0xffffffff)
                fail("is an archive in several parts or of more than 4 GB, expected a plain ZIP file");
            list_ = read(start, length);
            return;
        }
        fail("is not an archive, expected a ZIP file");
    }

    std::optional<Member> find(std::string_view name) const {
        constexpr std::uint64_t head = 46;
        std::uint64_t at = 0;
        for (std::uint64_t k = 0; k < count_; ++k) {
            const char* entry = list_.data() + at;
            if (list_.size() - at < head || number(entry, 4) != 0x02014b50) fail("is a broken archive: its list of files");
            const std::uint64_t named = number(entry + 28, 2), length = head + named + number(entry + 30, 2) + number(entry + 32, 2);
            if (length > list_.size() - at) fail("is a broken archive: its list of files");
            const std::string_view here(entry + head, named);
            if (here == name)
                return Member{here,
                              static_cast<unsigned>(number(entry + 8, 2)),
                              static_cast<unsigned>(number(entry + 10, 2)),
                              static_cast<std::uint32_t>(number(entry + 16, 4)),
                              number(entry + 20, 4),
                              number(entry + 24, 4),
                              number(entry + 42, 4)};
            at += length;
        }
        return std::nullopt;
    }

  public:
    explicit Archive(const std::string& path) : in_(path, std::ios::binary | std::ios::ate), path_(path) {
        const std::streamoff size = in_ ? static_cast<std::streamoff>(in_.tellg()) : -1;
        if (size < 0) fail("cannot be read");
        size_ = static_cast<std::uint64_t>(size);
        find_list();
    }

    bool has(std::string_view name) const { return find(name).has_value(); }

    // `prefix` opens messages; `limit_text` says what a member of more than `limit` bytes exceeds.
    List<char> read(std::string_view name, const std::string& prefix, std::uint64_t limit, const std::string& limit_text) {
        const std::optional<Member> member = find(name);
        if (!member) throw_model_error({prefix, "is not in the archive, expected one of its files"});
        if (member->size > limit) throw_model_error({prefix, limit_text});
        constexpr unsigned encrypted = 1, stored = 0, deflated = 8;
        if (member->flags & encrypted) throw_model_error({prefix, "is encrypted, expected a plain file"});
        constexpr std::uint64_t head = 30, most_from_a_byte = 1032;  // what deflate makes of one
        const List<char> local = read(member->at, head);
        if (number(local.data(), 4) != 0x04034b50) throw_model_error({prefix, "is not where the archive says"});
        const std::uint64_t start = member->at + head + number(local.data() + 26, 2) + number(local.data() + 28, 2);
        List<char> packed = read(start, member->packed), bytes;
        const char* trouble = nullptr;
        if (member->method == stored && member->size == member->packed) {
            bytes = std::move(packed);
        } else if (member->method == deflated && member->size <= most_from_a_byte * (member->packed + 1)) {
            bytes.resize(member->size);
            trouble = inflate_into({packed.data(), packed.size()}, bytes);
        } else {
            trouble = member->method == stored || member->method == deflated ? "is broken: its sizes cannot be"
                                                                             : "is compressed in a way other than deflate";
        }
        if (trouble) throw_model_error({prefix, trouble});
        if (crc_checksum({bytes.data(), bytes.size()}) != member->checksum) throw_model_error({prefix, "is broken: its checksum is wrong"});
        return bytes;
    }
};

// Whether a file is there, on disk or in an archive.
[[gnu::cold]] inline bool file_exists(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) return true;
    const std::optional<ArchivePlace> place = place_in_archive(path);
    return place && Archive(place->archive).has(place->member);
}

// The model in an archive, by MuJoCo's names; other files are what they are.
[[gnu::cold]] inline std::string model_file(const std::string& path) {
    std::error_code error;
    if (!is_archive_name(path) || !std::filesystem::is_regular_file(path, error)) return path;
    const Archive archive(path);
    const std::string stem = std::filesystem::path(path).stem().string();
    const std::string names[] = {"model.xml", stem + ".xml", stem + "/" + stem + ".xml", stem + "/model.xml"};
    for (const std::string& name : names)
        if (archive.has(name)) return path + "/" + name;
    throw_model_error({path, ": has no model, expected '", names[0], "', '", names[1], "', '", names[2], "' or '", names[3], "' in it"});
}

}  // namespace mjx::inner
