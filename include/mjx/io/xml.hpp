// XML files as a tree of elements: the only header that includes Boost.PropertyTree.
//
// The text is first checked by scan_xml (well-formed, one root, bounded depth; small faults mended), then parsed by PropertyTree's parser,
// whose nodes are copied into Element, which remembers file and line and can say where it stands:
//     arm.xml:12: /mujoco/worldbody/body[hand]/geom[2]
// A ptree in between would be a third copy, and its maps and streams a second or two of every program's compile time.
// Text between elements has no meaning in model files and is dropped; that of an element without any is kept for the few in URDF.
#pragma once

#include "mjx/io/archive.hpp"
#include "mjx/io/xml_scan.hpp"
#include "mjx/model/list.hpp"
#include "mjx/model/name_map.hpp"

#include <boost/property_tree/detail/rapidxml.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace mjx::inner {

struct ElementRule;  // what a schema says about an element

struct Element {
    std::string tag{};
    List<std::pair<std::string, std::string>> attributes{};
    std::string content{};  // text, where there are no children
    SpecList<Element> children{};  // a list: addresses stay valid when included files are spliced in
    const Element* parent = nullptr;
    std::shared_ptr<const std::string> file{};  // the file it was written in
    int line = 0;
    int index = 1;  // among the parent's children with the same tag, from 1
    bool only = true;  // no sibling has the same tag
    const ElementRule* rule = nullptr;

    [[gnu::noinline]] const std::string* find(std::string_view name) const {
        for (const auto& [key, value] : attributes)
            if (key == name) return &value;
        return nullptr;
    }
    bool has(std::string_view name) const { return find(name) != nullptr; }
    [[gnu::noinline]] std::string text(std::string_view name) const {
        const std::string* value = find(name);
        return value ? *value : std::string();
    }

    // The element path: tags from the root, each with its name if it has one and else with its number among its like.
    [[gnu::cold]] std::string path() const {
        std::string step = "/" + tag;
        const std::string* name = find(tag == "default" ? "class" : "name");
        if (name && !name->empty())
            step += "[" + *name + "]";
        else if (!only)
            step += "[" + std::to_string(index) + "]";
        return parent ? parent->path() + step : step;
    }
    [[gnu::noinline]] std::string where() const {
        return joined({file ? std::string_view(*file) : std::string_view(), ":", std::to_string(line), ": ", path()});
    }
    [[noreturn, gnu::cold, gnu::noinline]] void fail(Pieces message) const { throw_model_error({where(), ": ", joined(message)}); }
    [[noreturn]] void fail(std::string_view message) const { fail({message}); }

    // Renumbers the children and points them here; to be called when the list of children has changed.
    void adopt_children() {
        NameMap seen;
        for (Element& child : children) {
            child.parent = this;
            child.index = ++seen[child.tag];
        }
        for (Element& child : children) child.only = seen[child.tag] == 1;
    }
};

namespace detail {

using XmlNode = boost::property_tree::detail::rapidxml::xml_node<char>;

[[gnu::cold]] inline void copy_tree(const XmlNode& from, const List<int>& lines, std::size_t& next, Element& to) {
    namespace rapidxml = boost::property_tree::detail::rapidxml;
    to.tag.assign(from.name(), from.name_size());
    to.line = next < lines.size() ? lines[next] : 0;
    ++next;
    for (const auto* a = from.first_attribute(); a; a = a->next_attribute())
        to.attributes.emplace_back(std::string(a->name(), a->name_size()), std::string(a->value(), a->value_size()));
    for (const XmlNode* child = from.first_node(); child; child = child->next_sibling()) {
        if (child->type() == rapidxml::node_element) {
            Element& element = to.children.emplace_back();
            element.file = to.file;
            copy_tree(*child, lines, next, element);
        } else if (child->type() == rapidxml::node_data || child->type() == rapidxml::node_cdata) {
            to.content.append(child->value(), child->value_size());
        }
    }
    if (!to.children.empty()) to.content.clear();
    to.adopt_children();
}

}  // namespace detail

// The root element of a document; `file` is what messages call it.
[[gnu::cold]] inline std::unique_ptr<Element> parse_xml(std::string_view text, const std::string& file, Account& account) {
    namespace rapidxml = boost::property_tree::detail::rapidxml;
    ScannedXml scanned = scan_xml(text, file, account);
    char* const begin = scanned.text.data();  // its nodes point into it
    rapidxml::xml_document<char> document;
    try {
        document.parse<0>(begin);
    } catch (const rapidxml::parse_error& error) {
        const auto line = std::count(begin, error.where<char>(), '\n') + 1;
        throw_model_error({file, ":", std::to_string(line), ": XML: ", error.what()});
    }
    auto root = std::make_unique<Element>();
    root->file = std::make_shared<const std::string>(file);
    std::size_t next = 0;
    for (const detail::XmlNode* child = document.first_node(); child; child = child->next_sibling())
        if (child->type() == rapidxml::node_element) detail::copy_tree(*child, scanned.lines, next, *root);
    return root;
}

// The whole of a file; throws model_error when it cannot be read. What is no regular file (a pipe, a device) may have no end.
[[gnu::cold]] inline std::string read_text_file(const std::string& path, const Account& account) {
    const std::string over = over_budget(account.budget.bytes, "bytes");
    if (const auto place = place_in_archive(path)) {
        const std::size_t left = account.budget.bytes - std::min(account.bytes, account.budget.bytes);
        const List<char> bytes = Archive(place->archive).read(place->member, path + ": ", left, over);
        if (bytes.empty()) throw_model_error({path, ": empty file, expected XML"});
        return {bytes.begin(), bytes.end()};
    }
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw_model_error({path, ": file not found"});
    if (std::filesystem::is_directory(status)) throw_model_error({path, ": is a directory, expected a file"});
    if (!std::filesystem::is_regular_file(status)) throw_model_error({path, ": is not a regular file, expected one"});
    std::ifstream stream(path, std::ios::binary);
    if (!stream.is_open()) throw_model_error({path, ": cannot be read"});
    std::string text;
    List<char> block(std::size_t(1) << 16);
    while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (account.bytes + text.size() > account.budget.bytes) throw_model_error({path, ": ", over});
    }
    if (stream.bad()) throw_model_error({path, ": cannot be read"});
    if (text.empty()) throw_model_error({path, ": empty file, expected XML"});
    return text;
}

}  // namespace mjx::inner
