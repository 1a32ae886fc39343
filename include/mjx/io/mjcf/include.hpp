// <include file="..."/>: the children of another file's root take the place of the element. The name is looked up relative to
// the directory of the main file and then to that of the including file; a file can be included once.
#pragma once

#include "mjx/io/xml.hpp"

namespace mjx::inner::mjcf {

namespace fs = std::filesystem;

// How deep elements may nest once all files are joined: every later pass recurses.
inline constexpr int max_joined_depth = 500;

[[gnu::cold]] inline std::string canonical_name(const fs::path& path) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    return error ? path.lexically_normal().string() : canonical.string();
}

struct IncludePass {
    fs::path directory;  // of the main file
    Account& account;
    NameMap seen{};

    void visit(Element& e, int depth) {
        if (depth > max_joined_depth) e.fail({"elements nested deeper than ", std::to_string(max_joined_depth), " after includes"});
        bool changed = false;
        for (auto child = e.children.begin(); child != e.children.end();) {
            if (child->tag != "include") {
                visit(*child++, depth + 1);
                continue;
            }
            std::unique_ptr<Element> root = load(*child);
            const auto first = root->children.begin();
            e.children.splice(child, root->children);
            child = e.children.erase(child);
            // the included elements may include in turn: go on from the first of them
            for (auto it = first; it != child; ++it) it->parent = &e;
            child = first;
            changed = true;
        }
        if (changed) e.adopt_children();
    }

    [[gnu::cold]] std::unique_ptr<Element> load(const Element& include) {
        const std::string* name = include.find("file");
        if (!name || name->empty()) include.fail("missing attribute 'file', expected the name of a file");
        if (!include.children.empty()) include.fail("<include> has children, expected none");
        fs::path path = directory / *name;
        if (!file_exists(path)) path = fs::path(*include.file).parent_path() / *name;
        if (!file_exists(path)) include.fail({"included file '", *name, "' not found"});
        if (!seen.add(canonical_name(path)))
            include.fail({"file '", *name, "' is included more than once (or includes itself), expected once"});
        std::unique_ptr<Element> root = parse_xml(read_text_file(path.string(), account), path.string(), account);
        if (root->children.empty()) include.fail({"included file '", *name, "' has no elements under its root"});
        return root;
    }
};

// Replaces every <include> below `root`. `file` is the path of the main file, empty when it came from a string. Returns the files read.
[[gnu::cold]] inline List<std::string> expand_includes(Element& root, const std::string& directory, const std::string& file,
                                                       Account& account) {
    IncludePass pass{directory, account};
    if (!file.empty()) pass.seen.add(canonical_name(file));
    pass.visit(root, 1);
    List<std::string> files;
    for (const auto& [name, number] : pass.seen) files.push_back(name);
    return files;
}

}  // namespace mjx::inner::mjcf
