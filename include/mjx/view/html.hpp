// The page as one HTML document, for a server or, with a recording inside, for a file.
#pragma once

#include "mjx/view/bytes.hpp"
#include "mjx/view/page/camera_js.hpp"
#include "mjx/view/page/light_js.hpp"
#include "mjx/view/page/main_js.hpp"
#include "mjx/view/page/markup.hpp"
#include "mjx/view/page/paint_js.hpp"
#include "mjx/view/page/panel_js.hpp"
#include "mjx/view/page/scene_js.hpp"
#include "mjx/view/page/source_js.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <utility>
#include <vector>

namespace mjx::inner::show {

// What a page carries inside: the name of an element and the bytes it holds, compressed.
using Embedded = std::vector<std::pair<std::string, std::string>>;

inline std::string html_page(const Embedded& inside = {}) {
    std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>mjx</title>\n"
                       "<meta name=\"viewport\" content=\"width=device-width\"><link rel=\"icon\" href=\"data:,\">\n<style>";
    text += page_style;
    text += "</style></head>\n<body>";
    text += page_body;
    for (const auto& [id, bytes] : inside)
        text += "<script type=\"text/plain\" id=\"" + id + "\">" + base64(compressed(bytes)) + "</script>\n";
    text += "<script type=\"module\">";
    for (const char* part : {page_source, page_paint, page_light, page_scene, page_camera, page_panel, page_main}) text += part;
    return text + "</script>\n</body></html>\n";
}

inline std::string read_whole_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error(path.string() + ": cannot be read");
    return std::move(text).str();
}

// Where three.js is: the folder given, $MJX_THREE, what examples/view.sh installs, or Debian's libjs-three. It holds
// three.module.js and, in newer versions, three.core.js.
inline std::filesystem::path find_three(const std::string& given = {}) {
    namespace fs = std::filesystem;
    std::vector<fs::path> places;
    if (!given.empty()) places.emplace_back(given);
    if (const char* const set = std::getenv("MJX_THREE")) places.emplace_back(set);
#ifdef MJX_THREE_DIR
    places.emplace_back(MJX_THREE_DIR);
#endif
    places.emplace_back("/usr/share/javascript/three");
    std::string looked;
    for (const fs::path& place : places) {
        for (const char* const inside : {"", "build", "node_modules/three/build"}) {
            std::error_code none;
            if (fs::exists(place / inside / "three.module.js", none)) return place / inside;
        }
        looked += "\n  " + place.string();
        if (!given.empty()) break;
    }
    throw std::runtime_error("three.js, which draws the pictures, was not found; `bash examples/view.sh` installs it, and "
                             "MJX_THREE may name its folder. Looked in:" +
                             looked);
}

}  // namespace mjx::inner::show
