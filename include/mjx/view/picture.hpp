// Pictures of textures: PNG files as they are, for browsers and glTF to decode. Only those that something in the scene shows are read.
#pragma once

#include "mjx/io/read_file.hpp"
#include "mjx/model/visual.hpp"

#include <array>
#include <map>
#include <vector>

namespace mjx::inner::show {

inline constexpr std::size_t most_picture_bytes = std::size_t{64} << 20;

// What a texture shows: the numbers of its pictures among those read, -1 where a side has none.
using TexturePictures = std::array<int, 6>;

class PictureReader {
    std::vector<std::string>& pictures_;
    std::vector<std::string>& troubles_;
    std::map<std::string, int> read_{};

    // -1, and a word about it, where there is no such picture: what it should cover keeps the colour of its material.
    int read(const std::string& file) {
        const auto [found, fresh] = read_.emplace(file, -1);
        if (!fresh) return found->second;
        try {
            const std::vector<char> bytes = read_bytes(file, "texture");
            std::string content(bytes.begin(), bytes.end());
            if (!content.starts_with("\x89PNG\r\n\x1a\n")) throw std::runtime_error("texture: file '" + file + "': is not a PNG picture");
            if (content.size() > most_picture_bytes) throw std::runtime_error("texture: file '" + file + "': is larger than 64 MB");
            found->second = static_cast<int>(pictures_.size());
            pictures_.push_back(std::move(content));
        } catch (const std::exception& trouble) {
            troubles_.emplace_back(trouble.what());
        }
        return found->second;
    }

  public:
    PictureReader(std::vector<std::string>& pictures, std::vector<std::string>& troubles) : pictures_(pictures), troubles_(troubles) {}

    TexturePictures operator()(const TextureLook& look) {
        TexturePictures sides;
        for (std::size_t i = 0; i < sides.size(); ++i) sides[i] = look.files[i].empty() ? -1 : read(look.files[i]);
        return sides;
    }
};

}  // namespace mjx::inner::show
