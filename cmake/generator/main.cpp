// mjx_generate: reads a model and writes the header of its fixed model, and a list of the files it read for the build system.
//
//     mjx_generate robot.xml Robot robot.hpp [robot.hpp.d]
#include "mjx/emit.hpp"
#include "mjx/load.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

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
        if (!path.empty()) text += " \\\n  " + escaped(std::filesystem::absolute(path).string());
    };
    for (const auto& file : spec.files) add(file);
    for (const auto& mesh : spec.meshes) add(mesh.file);
    for (const auto& hfield : spec.hfields) add(hfield.file);
    return text + "\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5) {
        std::fprintf(stderr, "usage: mjx_generate model.xml Name header.hpp [dependencies.d]\n");
        return 2;
    }
    try {
        const std::string input = argv[1], header = argv[3];
        const mjx::Spec spec = mjx::parse_mjcf_file(input);
        write(header, mjx::emit_fixed_model(mjx::compile(spec), argv[2], std::filesystem::path(input).filename().string()));
        if (argc == 5) write(argv[4], dependencies(header, spec));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
