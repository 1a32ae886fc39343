// XML: only well-formed documents of modest depth get through, and elements know where they stand.
#include "mjx/io/xml.hpp"
#include "catch.hpp"

using mjx::Element;
using mjx::model_error;

namespace {

std::unique_ptr<Element> parse_xml(const std::string& text, const std::string& file, bool strict = false) {
    mjx::Account account{.budget = {.strict = strict}};
    return mjx::parse_xml(text, file, account);
}
std::string error_of(const std::string& text, bool strict = false) {
    try {
        parse_xml(text, "file", strict);
        return "";
    } catch (const model_error& error) {
        return error.what();
    }
}
bool refused(const std::string& text, const std::string& reason) { return error_of(text).find(reason) != std::string::npos; }
bool strictly_refused(const std::string& text, const std::string& reason) {
    return error_of(text).empty() && error_of(text, true).find(reason) != std::string::npos;
}

}  // namespace

TEST_CASE("elements, attributes and their order survive") {
    const auto root = parse_xml("<a x='1' y=\"two\"><b/><c n='&lt;&amp;&#65;'/><b><d/></b></a>", "file");
    CHECK(root->tag == "a");
    CHECK(root->text("x") == "1");
    CHECK(root->text("y") == "two");
    REQUIRE(root->children.size() == 3);
    CHECK(std::next(root->children.begin())->text("n") == "<&A");
    CHECK(root->children.back().children.front().tag == "d");
}

TEST_CASE("prologue, comments, CDATA and text between elements mean nothing") {
    const auto root = parse_xml(
        "\xEF\xBB\xBF<?xml version='1.0'?>\n<!DOCTYPE a>\n<!-- <b/> -->\n<a>text<!-- <c> --><![CDATA[<d>]]><b/></a>\n", "file");
    CHECK(root->children.size() == 1);
}

TEST_CASE("an element says in which file, line and place it is") {
    const auto root = parse_xml("<m>\n <g/>\n <g name='n'/>\n <h>\n  <g/></h>\n</m>", "file");
    CHECK(root->children.front().where() == "file:2: /m/g[1]");
    CHECK(std::next(root->children.begin())->where() == "file:3: /m/g[n]");
    CHECK(root->children.back().children.front().where() == "file:5: /m/h/g");
}

TEST_CASE("what is not well formed is refused with the line") {
    CHECK(refused("<a>\n<b></a>", "file:2: XML: </a> found, expected </b>"));
    CHECK(refused("<a><b/>", "expected </a>"));
    CHECK(refused("<a", "end of file"));
    CHECK(refused("<a b='1", "no closing quote"));
    CHECK(refused("<a b=1/>", "quoted value"));
    CHECK(refused("<a b/>", "expected '='"));
    CHECK(refused("<a b='1' b='2'/>", "appears twice"));
    CHECK(refused("text<a/>", "outside the root"));
    CHECK(refused("</a>", "closes nothing"));
    CHECK(refused("<1a/>", "element's name"));
    CHECK(refused("< a/>", "element's name"));
    CHECK(refused("<a><!-- </a>", "comment"));
    CHECK(refused("<a b='&unknown;'/>", "character reference"));
    CHECK(refused("<a b='&#0;'/>", "character reference"));
    CHECK(refused("<a b='<'/>", "closing quote"));
    CHECK(refused("", "no element"));
    CHECK(refused("   \n ", "no element"));
}

TEST_CASE("small faults with a plain meaning are mended, unless the reader is strict") {
    CHECK(strictly_refused("<a b='1'c='2'/>", "expected a space"));
    CHECK(strictly_refused("<a/><b/>", "second root"));
    CHECK(strictly_refused("<a/>text", "outside the root"));
    CHECK(strictly_refused("<a/> more <", "outside the root"));
    CHECK(strictly_refused(std::string("<a><!-- \x01\0 --><b/></a>", 22), "control character"));
    const auto root = parse_xml("<a b='1'c='2'>\n<d e='3'\tf='4'g='5'/></a>\n<b/>", "file");
    CHECK(root->tag == "a");
    CHECK(root->text("b") == "1");
    CHECK(root->text("c") == "2");
    REQUIRE(root->children.size() == 1);
    CHECK(root->children.front().text("g") == "5");
    CHECK(root->children.front().where() == "file:2: /a/d");
    CHECK(error_of("<a/>\n<!-- end -->\n", true).empty());
    CHECK(refused("<a/></b>", "closes nothing"));
}

TEST_CASE("entity declarations are refused before they can grow") {
    CHECK(refused("<!DOCTYPE a [<!ENTITY x 'xxxxxxxx'>]><a b='&x;'/>", "DOCTYPE"));
}

TEST_CASE("binary junk is refused") {
    CHECK(refused(std::string("\x7f"
                              "ELF\0\1",
                              6),
                  "control character"));
    CHECK(refused(std::string("<a>\0</a>", 8), "control character"));
}

TEST_CASE("depth is bounded before anything recurses") {
    const auto nested = [](int n) {
        std::string text;
        for (int i = 0; i < n; ++i) text += "<a>";
        for (int i = 0; i < n; ++i) text += "</a>";
        return text;
    };
    CHECK(error_of(nested(500)).empty());
    CHECK(refused(nested(501), "deeper than 500"));
    CHECK(refused(nested(100000), "deeper than 500"));
}

TEST_CASE("size is bounded") {
    mjx::Account account{.budget = {.bytes = 8}};
    CHECK_THROWS_AS(mjx::parse_xml("<aaaaaaaaaa/>", "file", account), model_error);
}

TEST_CASE("a million attributes' worth of numbers are no trouble") {
    std::string text = "<a b='";
    for (int i = 0; i < 1000000; ++i) text += "1 ";
    text += "'/>";
    CHECK(parse_xml(text, "file")->text("b").size() == 2000000);
}

TEST_CASE("every truncation of a document is refused and none crashes") {
    const std::string text = "<?xml version='1.0'?><!-- c --><a b='1' c=\"&lt;\"><d e='2'/><![CDATA[x]]><f>t</f></a>";
    for (std::size_t n = 0; n < text.size(); ++n) CHECK_FALSE(error_of(text.substr(0, n)).empty());
    CHECK(error_of(text).empty());
}

TEST_CASE("no single changed character crashes") {
    const std::string text = "<a b='1' c=\"&lt;\"><d e='2'/><!-- x --><f>t</f></a>";
    for (std::size_t n = 0; n < text.size(); ++n)
        for (const char c : {'<', '>', '"', '\'', '&', ';', '/', '!', '?', '=', ' ', '\xff', '\0', '-', ']'}) {
            std::string changed = text;
            changed[n] = c;
            error_of(changed);
        }
    SUCCEED();
}
