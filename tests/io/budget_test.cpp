// What a model file may ask for is bounded: beyond the budget it is an error that names the element and the budget's member, at once.
#include "catch.hpp"
#include "rooms.hpp"

#include "mjx/data.hpp"
#include "mjx/load.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using mjx::Budget;
using mjx::load_mjcf_string;

namespace {

std::string message_of(const std::string& mjcf, const Budget& budget = {}) {
    try {
        load_mjcf_string(mjcf, budget);
    } catch (const mjx::model_error& trouble) {
        return trouble.what();
    }
    return "";
}
std::string world(const std::string& inside) { return "<mujoco><worldbody>" + inside + "</worldbody></mujoco>"; }
std::string repeated(int n, const std::string& text) {
    std::string all;
    for (int i = 0; i < n; ++i) all += text;
    return all;
}
void check_names(const std::string& message, const char* element, const char* member) {
    INFO(message);
    CHECK(message.find(element) != std::string::npos);
    CHECK(message.find("budget." + std::string(member)) != std::string::npos);
}

struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "mjx_budget_XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name, std::ios::binary) << text;
        return (path / name).string();
    }
};

std::string message_of_file(const std::string& path, const Budget& budget = {}) {
    try {
        mjx::load_mjcf(path, budget);
    } catch (const mjx::model_error& trouble) {
        return trouble.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Copies of nothing, and copies of copies, end at the budget", "[budget]") {
    check_names(message_of(world("<replicate count='2000000000'/>")), "worldbody/replicate", "copies");
    const std::string nested = repeated(6, "<replicate count='1000'>") + "<site/>" + repeated(6, "</replicate>");
    check_names(message_of(world(nested), {.copies = 5000}), "/replicate/replicate", "copies");
    CHECK(message_of(world(repeated(6, "<replicate count='1000'>") + repeated(6, "</replicate>"))).empty());
    CHECK(message_of(world("<replicate count='100'><site/></replicate>"), {.copies = 200}).empty());
    CHECK_FALSE(message_of(world("<replicate count='100'><site/></replicate>"), {.copies = 199}).empty());
}

TEST_CASE("Elements and bytes count over all files of a model", "[budget]") {
    check_names(message_of(world(repeated(1000001, "<body/>"))), "<body>", "elements");
    const Folder folder;
    folder.write("a.xml", "<mujoco>" + repeated(50, "<worldbody/>") + "</mujoco>");
    folder.write("b.xml", "<mujoco><asset><model name='a' file='a.xml'/></asset>" + repeated(50, "<worldbody/>") + "</mujoco>");
    const std::string main = folder.write("main.xml", "<mujoco><include file='b.xml'/></mujoco>");
    CHECK(message_of_file(main, {.elements = 106}).empty());
    check_names(message_of_file(main, {.elements = 105}), "a.xml", "elements");
    check_names(message_of_file(main, {.bytes = 1000}), "a.xml", "bytes");
    // twenty models, each of twenty models, and so on
    for (int level = 0; level < 7; ++level) {
        std::string assets;
        for (int i = 0; i < 20; ++i) assets += "<model name='m" + std::to_string(i) + "' file='d" + std::to_string(level + 1) + ".xml'/>";
        folder.write("d" + std::to_string(level) + ".xml", "<mujoco><asset>" + assets + "</asset></mujoco>");
    }
    folder.write("d7.xml", "<mujoco><worldbody/></mujoco>");
    check_names(message_of_file((folder.path / "d0.xml").string(), {.elements = 20000}), "XML: <", "elements");
}

TEST_CASE("Sizes are checked against what is there", "[budget]") {
    const std::string ball = "<worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    check_names(message_of("<mujoco><size nkey='2000000000'/>" + ball), "/mujoco/size", "numbers");
    check_names(message_of("<mujoco><size nkey='10000000'/>" + ball), "nkey", "numbers");
    check_names(message_of("<mujoco><size nuserdata='2000000000'/>" + ball), "/mujoco/size", "numbers");
    for (const char* size : {"nconmax='100000000'", "njmax='2000000000'", "nconmax='2000000000' njmax='2000000000'"}) {
        const mjx::Model<double> m = load_mjcf_string("<mujoco><size " + std::string(size) + "/>" + ball);
        CHECK(m.nconmax <= 1 << 20);
        const mjx::Data<double, mjx::Model<double>> d(m);  // address space, no memory
        CHECK(d.contact.size() == m.nconmax);
    }
    std::string motors;
    for (int i = 0; i < 20; ++i) motors += "<motor joint='j' delay='1' nsample='16000000'/>";
    check_names(message_of("<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>" + motors +
                           "</actuator></mujoco>"),
                "actuator/motor[3]", "numbers");
}

TEST_CASE("The search for a length range is bounded in steps and in seconds", "[budget]") {
    const auto muscle = [](const std::string& lengthrange) {
        return "<mujoco><compiler><lengthrange uselimit='false' " + lengthrange +
               "/></compiler><worldbody><body><joint name='j' limited='true' range='-1 1'/><geom size='.1' pos='0 0 1'/></body></worldbody>"
               "<actuator><muscle name='m' joint='j'/></actuator></mujoco>";
    };
    check_names(message_of(muscle("inttotal='1e9'")), "muscle[m]", "range_steps");
    check_names(message_of(muscle("inttotal='1e30' timestep='1e-300'")), "muscle[m]", "range_steps");
    check_names(message_of(muscle("inttotal='1e9'"), {.range_steps = std::size_t(1) << 60, .seconds = 0.1}), "muscle[m]", "seconds");
    CHECK(message_of(muscle("")).empty());
}

TEST_CASE("Only regular files are opened", "[budget]") {
    const Folder folder;
    for (const char* name : {"pipe", "pipe.obj", "pipe.png", "pipe.xml"}) REQUIRE(mkfifo((folder.path / name).c_str(), 0600) == 0);
    const auto refused = [&](const std::string& inside) {
        const std::string message = message_of_file(folder.write("main.xml", "<mujoco>" + inside + "</mujoco>"));
        INFO(message);
        CHECK(message.find("pipe") != std::string::npos);
    };
    refused("<include file='pipe'/>");
    refused("<asset><mesh file='pipe.obj'/></asset><worldbody><geom type='mesh' mesh='pipe'/></worldbody>");
    refused("<asset><hfield name='h' file='pipe.png' size='1 1 1 1'/></asset>");
    refused("<asset><model name='m' file='pipe.xml'/></asset>");
    CHECK(message_of_file((folder.path / "pipe").string()).find("regular file") != std::string::npos);
    CHECK(message_of_file("/dev/zero").find("regular file") != std::string::npos);
}

TEST_CASE("A few bytes cannot announce a giant image", "[budget]") {
    const unsigned char png[] = {137, 80, 78, 71, 13, 10, 26,  10,  0,   0,   0,  13, 73, 72, 68, 82, 0,  0,  128, 0,   0,  0,  128,
                                 0,   8,  0,  0,  0,  0,  225, 23,  252, 163, 0,  0,  0,  12, 73, 68, 65, 84, 120, 156, 99, 96, 96,
                                 96,  0,  0,  0,  4,  0,  1,   246, 23,  56,  85, 0,  0,  0,  0,  73, 69, 78, 68,  174, 66, 96, 130};
    const Folder folder;
    folder.write("big.png", std::string(reinterpret_cast<const char*>(png), sizeof png));
    const std::string main = folder.write("main.xml",
                                          "<mujoco><asset><hfield name='hill' file='big.png' size='1 1 1 1'/></asset></mujoco>");
#ifdef MJX_HAVE_PNG
    check_names(message_of_file(main), "hfield[hill]", "numbers");
#endif
    CHECK_FALSE(message_of_file(main).empty());
    const std::string flat = "<mujoco><asset><hfield name='h' nrow='1000' ncol='1000' size='1 1 1 1'/></asset></mujoco>";
    check_names(message_of(flat, {.numbers = 999999}), "hfield[h]", "numbers");
    std::string many;  // which is known before there is memory for them
    for (int i = 0; i < 30; ++i) many += "<hfield name='h" + std::to_string(i) + "' nrow='1000' ncol='1000' size='1 1 1 1'/>";
    check_names(message_of("<mujoco><asset>" + many + "</asset></mujoco>", {.numbers = 2500000}), "hfield[h2]", "numbers");
    check_names(message_of("<mujoco><asset><hfield name='h' nrow='2000000000' ncol='2000000000' size='1 1 1 1'/></asset></mujoco>"),
                "hfield[h]", "numbers");
}

TEST_CASE("Messages show no control characters, nor bytes and marks that a terminal may misread", "[budget]") {
    const std::string message = message_of(world("<body name='\x7f\xc2\x9b"
                                                 "31m&#10;&#9;\xc3\xa4'><nothing/></body>"));
    INFO(message);
    CHECK(message.find("body[\\x7f\\x9b31m\\x0a\\x09\xc3\xa4]") != std::string::npos);
    // bytes that are not UTF-8 (alone, too long, half of a pair, beyond the last, cut off), marks that turn the direction of a text; other letters
    const auto shown = [](const std::string& name) {
        const std::string text = message_of(world("<body name='" + name + "'><nothing/></body>"));
        const std::size_t at = text.find("body[") + 5;
        return text.substr(at, text.find(']', at) - at);
    };
    CHECK(shown("a\xff\x80z") == "a\\xff\\x80z");
    CHECK(shown("\xc0\xaf") == "\\xc0\\xaf");
    CHECK(shown("\xe0\x82\x80") == "\\xe0\\x82\\x80");
    CHECK(shown("\xed\xa0\x80") == "\\xed\\xa0\\x80");
    CHECK(shown("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
    CHECK(shown("a\xe2\x80") == "a\\xe2\\x80");
    CHECK(shown("x\xe2\x80\xaegnp.\xe2\x81\xa9\xd8\x9c\xe2\x80\xa8") == "x\\u{202e}gnp.\\u{2069}\\u{061c}\\u{2028}");
    for (const std::string name : {"\xc3\xa4", "\xe2\x82\xac", "\xe6\x97\xa5", "\xf0\x9f\xa4\x96"}) CHECK(shown(name) == name);
    CHECK(message_of(world("<body name='" + std::string(100000, 'x') + "'><nothing/></body>")).size() < 10000);
}

// Loops over pairs of bodies, joints, names would take minutes here, and hours with a million. (No test of time: ctest's limit decides.)
TEST_CASE("A hundred thousand bodies compile", "[budget]") {
    std::string bodies;
    for (int i = 0; i < 50000; ++i) bodies += "<body pos='" + std::to_string(i) + " 0 1'><freejoint/><geom size='.1'/></body>";
    for (int i = 0; i < 50000; ++i) bodies += "<body name='s" + std::to_string(i) + "'><geom size='.1'/></body>";
    const mjx::Model<double> m = load_mjcf_string(world(bodies));
    CHECK(m.nbody == 100001);
    CHECK(m.nv == 300000);
    const mjx::Data<double, mjx::Model<double>> d(m);
    CHECK(d.qpos.size() == m.nq);
    const mjx::Model<double> fused = load_mjcf_string("<mujoco><compiler fusestatic='true'/>" + world(bodies).substr(8));
    CHECK(fused.nbody == 50001);
    CHECK(fused.ngeom == 100000);
}
