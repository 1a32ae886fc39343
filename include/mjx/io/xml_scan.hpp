// scan_xml: one pass over XML text, before any parser sees it, that refuses everything but a well-formed document of modest
// depth and records where each element begins. Boost.PropertyTree alone recurses without limit, pairs <a> with </b>, keeps both
// of two equal attributes and takes two roots.
//
// Files that people exchange have small faults which MuJoCo overlooks: something behind the root element, attributes without a space
// between them, control characters in a comment. Their meaning is plain; they are mended, and that is said once for each file, unless the
// reader is to be strict (budget.strict).
//
// Covered: elements, attributes, comments, CDATA, processing instructions, a DOCTYPE without internal subset, the five named
// entities and numeric character references. This is the XML that model files are made of.
#pragma once

#include "mjx/io/account.hpp"
#include "mjx/model/list.hpp"
#include "mjx/model/spec.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace mjx::inner {

inline constexpr int max_xml_depth = 500;  // as in MuJoCo's parser
inline constexpr std::size_t max_xml_attributes = 1000;

namespace detail {

// Walks the text; `line` follows `at`.
struct XmlScanner {
    std::string_view text;
    const std::string& file;
    Account& account;
    std::size_t at = 0;
    int line = 1;
    List<std::string_view> open{};  // elements not yet closed
    List<std::string_view> attributes{};  // of the tag being read
    List<int> lines{};  // where each element begins, in document order
    List<std::size_t> gaps{}, blanks{};  // where a space is missing, and what ought to be one
    std::size_t stop = std::string_view::npos;  // of what is read
    std::string faults{};  // what was mended

    [[noreturn, gnu::cold, gnu::noinline]] void fail(Pieces message) const {
        throw_model_error({file, ":", std::to_string(line), ": XML: ", joined(message)});
    }
    [[noreturn]] void fail(std::string_view message) const { fail({message}); }
    bool starts(std::string_view s) const { return text.substr(at, s.size()) == s; }
    bool done() const { return at >= text.size(); }
    char peek() const { return done() ? '\0' : text[at]; }
    void advance(std::size_t n) {
        for (const char c : text.substr(at, n)) line += c == '\n';
        at += n;
    }
    static bool space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    static bool name_char(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ':' ||
               static_cast<unsigned char>(c) >= 0x80;
    }
    // A fault that a strict reader does not let pass.
    [[gnu::cold, gnu::noinline]] void overlook(std::string_view fault, std::string_view message) {
        if (account.budget.strict) fail(message);
        if (faults.find(fault) == std::string::npos)
            faults += joined({faults.empty() ? "" : "; ", "line ", std::to_string(line), ": ", fault});
    }
    void skip_space() {
        while (!done() && space(peek())) advance(1);
    }
    void skip_past(std::string_view mark, const char* what) {
        const std::size_t end = text.find(mark, at);
        if (end == std::string_view::npos) fail({"unexpected end of file in a ", what, ", expected '", mark, "'"});
        advance(end + mark.size() - at);
    }
    std::string_view name(const char* what) {
        std::size_t n = 0;
        while (at + n < text.size() && name_char(text[at + n])) ++n;
        const char first = peek();
        if (n == 0 || first == '-' || first == '.' || (first >= '0' && first <= '9')) fail({"expected ", what});
        const std::string_view result = text.substr(at, n);
        at += n;
        return result;
    }

    // Characters of text or of an attribute's value: no stray '<', only known references.
    void check_characters(std::string_view chars) const {
        for (std::size_t i = 0; i < chars.size(); ++i) {
            if (chars[i] == '<') fail("'<' inside an attribute's value, expected a closing quote before it");
            if (chars[i] != '&') continue;
            const std::size_t end = chars.find(';', i);
            const std::string_view ref = end == std::string_view::npos ? "" : chars.substr(i + 1, end - i - 1);
            if (!(ref == "lt" || ref == "gt" || ref == "amp" || ref == "quot" || ref == "apos" || numeric_reference(ref)))
                fail("unknown character reference after '&', expected &lt; &gt; &amp; &quot; &apos; or &#number;");
        }
    }
    static bool numeric_reference(std::string_view ref) {
        if (ref.size() < 2 || ref.size() > 8 || ref[0] != '#') return false;
        const bool hex = ref[1] == 'x';
        unsigned value = 0;
        for (const char c : ref.substr(hex ? 2 : 1)) {
            const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(c);
            if (digit >= (hex ? 22u : 10u)) return false;
            value = value * (hex ? 16u : 10u) + static_cast<unsigned>(digit < 16 ? digit : digit - 6);
        }
        return value >= 0x20 ? value <= 0x10ffff : value == 9 || value == 10 || value == 13;
    }

    void attribute() {
        const std::string_view key = name("an attribute's name, '>' or '/>'");
        for (const std::string_view other : attributes)
            if (other == key) fail({"attribute '", key, "' appears twice in <", open.back(), ">, expected once"});
        attributes.push_back(key);
        if (attributes.size() > max_xml_attributes)
            fail({"<", open.back(), "> has more than ", std::to_string(max_xml_attributes), " attributes"});
        skip_space();
        if (peek() != '=') fail({"expected '=' after attribute '", key, "'"});
        advance(1);
        skip_space();
        const char quote = peek();
        if (quote != '"' && quote != '\'') fail({"expected a quoted value for attribute '", key, "'"});
        advance(1);
        const std::size_t end = text.find(quote, at);
        if (end == std::string_view::npos) fail({"the value of attribute '", key, "' has no closing quote"});
        check_characters(text.substr(at, end - at));
        advance(end + 1 - at);
    }

    void open_tag() {
        lines.push_back(line);
        advance(1);
        open.push_back(name("an element's name after '<'"));
        if (open.size() > std::size_t(max_xml_depth)) fail({"elements nested deeper than ", std::to_string(max_xml_depth)});
        if (++account.elements > account.budget.elements)
            fail({"<", open.back(), "> is ", over_budget(account.budget.elements, "elements")});
        attributes.clear();
        for (;;) {
            const std::size_t before = at;
            skip_space();
            if (starts("/>")) {
                open.pop_back();
                return advance(2);
            }
            if (peek() == '>') return advance(1);
            if (done()) fail({"unexpected end of file inside <", open.back(), ">"});
            if (at == before) {
                overlook("no space before an attribute", joined({"expected a space, '>' or '/>' in <", open.back(), ">"}));
                gaps.push_back(at);
            }
            attribute();
        }
    }

    void close_tag() {
        advance(2);
        const std::string_view closing = name("an element's name after '</'");
        skip_space();
        if (peek() != '>') fail({"expected '>' to end </", closing});
        advance(1);
        if (open.empty()) fail({"</", closing, "> closes nothing"});
        if (open.back() != closing) fail({"</", closing, "> found, expected </", open.back(), ">"});
        open.pop_back();
    }

    void doctype() {
        const std::size_t end = text.find_first_of("[>", at);
        if (end == std::string_view::npos || text[end] == '[') fail("a DOCTYPE with entity declarations is not supported");
        advance(end + 1 - at);
    }

    void check_control_characters() {
        constexpr const char* message = "control character in the text: not an XML file";
        bool comment = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '<' && !comment) comment = text.substr(i, 4) == "<!--";
            if (text[i] == '>' && comment) comment = i < 2 || text.substr(i - 2, 2) != "--";
            if (static_cast<unsigned char>(text[i]) >= 0x20 || space(text[i])) continue;
            if (!comment) fail(message);
            overlook("a control character in a comment", message);
            blanks.push_back(i);
        }
    }

    // Whether the root element has ended and more than comments comes after it.
    bool ends(std::string_view between) {
        if (lines.empty() || !open.empty()) return false;
        const bool words = between.find_first_not_of(" \t\r\n") != std::string_view::npos;
        const std::size_t next = at + between.size();
        const bool tag = next < text.size() && text.substr(next, 2) != "<!" && text.substr(next, 2) != "<?" && text.substr(next, 2) != "</";
        if (!words && !tag) return false;
        overlook("something behind the root element, which is not read",
                 words ? "text outside the root element, expected '<'" : "a second root element, expected one");
        stop = at;
        return true;
    }

    void scan() {
        account.bytes += text.size();
        if (account.bytes > account.budget.bytes) fail(over_budget(account.budget.bytes, "bytes"));
        check_control_characters();
        if (starts("\xEF\xBB\xBF")) advance(3);
        for (;;) {
            const std::size_t next = std::min(text.find('<', at), text.size());
            const std::string_view between = text.substr(at, next - at);
            if (ends(between)) break;
            if (open.empty() && between.find_first_not_of(" \t\r\n") != std::string_view::npos)
                fail("text outside the root element, expected '<'");
            check_characters(between);
            advance(next - at);
            if (done()) break;
            if (starts("<!--"))
                skip_past("-->", "comment");
            else if (starts("<![CDATA["))
                skip_past("]]>", "CDATA section");
            else if (starts("<?"))
                skip_past("?>", "processing instruction");
            else if (starts("<!"))
                doctype();
            else if (starts("</"))
                close_tag();
            else
                open_tag();
        }
        if (!open.empty()) fail({"unexpected end of file, expected </", open.back(), ">"});
        if (lines.empty()) fail("no element found, expected a root element");
    }
};

}  // namespace detail

// A document that can be parsed, and the line on which each of its elements begins, in document order.
struct ScannedXml {
    std::string text;
    List<int> lines;
};

// Throws model_error unless the text is well formed, or can be made so.
[[gnu::cold]] inline ScannedXml scan_xml(std::string_view text, const std::string& file, Account& account) {
    detail::XmlScanner scanner{.text = text, .file = file, .account = account};
    scanner.scan();
    std::string mended(text.substr(0, scanner.stop));
    for (const std::size_t i : scanner.blanks)
        if (i < mended.size()) mended[i] = ' ';
    if (!scanner.gaps.empty()) {
        std::string spaced;
        std::size_t from = 0;
        for (const std::size_t i : scanner.gaps) {
            spaced.append(mended, from, i - from).push_back(' ');
            from = i;
        }
        mended = spaced.append(mended, from);
    }
    if (!scanner.faults.empty())
        std::fprintf(stderr, "mjx: %s: %s (XML that is not well formed; a strict reader refuses it)\n", file.c_str(),
                     scanner.faults.c_str());
    return {std::move(mended), std::move(scanner.lines)};
}

}  // namespace mjx::inner
