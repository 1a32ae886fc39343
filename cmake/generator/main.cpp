// mjx_generate: reads a model and writes the header of its fixed model, and a list of the files it read for the build system.
//
//     mjx_generate robot.xml Robot robot.hpp [robot.hpp.d] [--contacts 32] [--rows 160] [--visuals]
#include "mjx/emit.hpp"
#include "mjx/io/archive.hpp"
#include "mjx/load.hpp"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

void write(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw mjx::model_error(path + ": cannot be written");
}

// Make's rules for names in dependency files: spaces are escaped, dollars doubled.
std::string escaped(const std::string& path) {
    std::string text;
    for (const char c : path) {
        if (c == ' ' || c == '#') text += '\\';
        if (c == '$') text += '$';
        text += c;
    }
    return text;
}

std::string dependencies(const std::string& header, const mjx::Spec& spec) {
    std::string text = escaped(header) + ":";
    const auto add = [&](const std::string& path) {
        if (path.empty()) return;
        const auto place = mjx::inner::place_in_archive(path);
        text += " \\\n  " + escaped(std::filesystem::absolute(place ? place->archive : path).string());
    };
    for (const auto& file : spec.files) add(file);
    for (const auto& mesh : spec.meshes) add(mesh.file);
    for (const auto& hfield : spec.hfields) add(hfield.file);
    return text + "\n";
}

// What the command line says: files and the type's name in their order, and how much room the model has.
struct Arguments {
    std::vector<std::string> words{};
    int contacts = -1, rows = -1;
    bool visuals = false;
};
int count_after(const std::string& option, const char* text) {
    int count = -1;
    if (text) std::from_chars(text, text + std::string_view(text).size(), count);
    if (count < 1 || std::to_string(count) != text) throw mjx::model_error(option + ": expected a positive number after it");
    return count;
}
Arguments read(int argc, char** argv) {
    Arguments result;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--contacts")
            result.contacts = count_after(word, argv[++i]);
        else if (word == "--rows")
            result.rows = count_after(word, argv[++i]);
        else if (word == "--visuals")
            result.visuals = true;
        else
            result.words.push_back(word);
    }
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Arguments given = read(argc, argv);
        const auto& words = given.words;
        if (words.size() != 3 && words.size() != 4) {
            std::fprintf(stderr, "usage: mjx_generate model.xml Name header.hpp [dependencies.d] [--contacts n] [--rows n] [--visuals]\n");
            return 2;
        }
        mjx::Spec spec = mjx::parse_mjcf_file(words[0]);
        if (given.contacts > 0) spec.nconmax = given.contacts;
        if (given.rows > 0) spec.njmax = given.rows;
        if (!given.visuals) spec.compiler.discardvisual = true;
        write(words[2], mjx::emit_fixed_model(mjx::compile(spec), words[1], std::filesystem::path(words[0]).filename().string()));
        if (words.size() == 4) write(words[3], dependencies(words[2], spec));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
