// Mesh and height field files: what they hold, and what is said about broken ones.
#include "mjx/io/mesh.hpp"
#include "catch.hpp"
#include "mjx/io/hfield.hpp"

#include <random>

using namespace mjx;

namespace {

std::vector<char> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

template <class T>
void append(std::vector<char>& bytes, T value) {
    const char* p = reinterpret_cast<const char*>(&value);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(p[i]);
}

// Two triangles of a unit square.
std::vector<char> binary_stl() {
    std::vector<char> bytes(80, ' ');
    append<std::uint32_t>(bytes, 2);
    const float corner[2][3][3] = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
    for (const auto& triangle : corner) {
        for (int i = 0; i < 3; ++i) append<float>(bytes, 0);
        for (const auto& v : triangle)
            for (const float x : v) append<float>(bytes, x);
        append<std::uint16_t>(bytes, 0);
    }
    return bytes;
}

std::string message_of(const auto& f) {
    try {
        f();
    } catch (const model_error& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST_CASE("A binary STL file shares the vertices of its triangles", "[io]") {
    const MeshData mesh = read_stl(binary_stl(), "");
    CHECK(mesh.vert.size() == 12);
    CHECK(mesh.face == std::vector<int>{0, 1, 2, 0, 2, 3});
}

TEST_CASE("An ASCII STL file gives the same mesh", "[io]") {
    const MeshData mesh = read_stl(
        bytes_of("solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
                 "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex +1.0e0 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"),
        "");
    const MeshData same = read_stl(binary_stl(), "");
    CHECK(mesh.vert == same.vert);
    CHECK(mesh.face == same.face);
}

TEST_CASE("An OBJ file may have comments, polygons, negative indices and several shapes", "[io]") {
    const MeshData mesh = read_obj(
        bytes_of("# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\ng other\nv 0 0 5\n"
                 "f -1 1 2\n"),
        "");
    CHECK(mesh.vert.size() == 15);
    CHECK(mesh.face == std::vector<int>{0, 1, 3, 1, 2, 3});
}

TEST_CASE("Polygons of an OBJ file are cut as the asked version of MuJoCo cuts them", "[io]") {
    // the same faces as in mesh_face of models that MuJoCo 3.12 and 3.14 compile
    const auto square = bytes_of("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    const auto angle = bytes_of("v 1 1 0\nv 3 1 0\nv 3 2 0\nv 2 2 0\nv 2 3 0\nv 1 3 0\nf 1 2 3 4 5 6\n");
    CHECK(read_obj(square, "", {.mujoco = 312}).face == std::vector<int>{0, 1, 2, 0, 2, 3});
    CHECK(read_obj(angle, "", {.mujoco = 312}).face == std::vector<int>{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5});
    CHECK(read_obj(square, "").face == std::vector<int>{0, 1, 3, 1, 2, 3});
    CHECK(read_obj(angle, "").face == std::vector<int>{1, 2, 3, 3, 4, 5, 3, 5, 0, 0, 1, 3});
}

TEST_CASE("A concave polygon of an OBJ file is cut into ears that lie inside it", "[io]") {
    // an L: the corner at (1, 1) is reflex
    const MeshData mesh = read_obj(bytes_of("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n"), "");
    REQUIRE(mesh.face.size() == 12);
    double area = 0;
    for (std::size_t f = 0; f < mesh.face.size(); f += 3) {
        const auto at = [&](std::size_t k, std::size_t i) {
            return static_cast<double>(mesh.vert[3 * static_cast<std::size_t>(mesh.face[f + k]) + i]);
        };
        const double twice = (at(1, 0) - at(0, 0)) * (at(2, 1) - at(0, 1)) - (at(1, 1) - at(0, 1)) * (at(2, 0) - at(0, 0));
        CHECK(twice > 0);
        area += twice / 2;
    }
    CHECK(area == Approx(3));
}

TEST_CASE("An MSH file holds vertices and faces", "[io]") {
    std::vector<char> bytes;
    for (const int n : {4, 0, 4, 1}) append<std::int32_t>(bytes, n);
    for (int i = 0; i < 12; ++i) append<float>(bytes, static_cast<float>(i));
    for (int i = 0; i < 8; ++i) append<float>(bytes, 0);
    for (const int v : {0, 1, 3}) append<std::int32_t>(bytes, v);
    const MeshData mesh = read_msh(bytes, "");
    CHECK(mesh.vert.size() == 12);
    CHECK(mesh.vert[11] == 11);
    CHECK(mesh.face == std::vector<int>{0, 1, 3});
}

TEST_CASE("Broken mesh files are refused with their name and what is wrong", "[io]") {
    CHECK(message_of([] { read_mesh("no such.obj", "", "a.xml: mesh 'm'"); }).find("a.xml: mesh 'm': file 'no such.obj'") == 0);
    CHECK(message_of([] { read_mesh("m.ply", "", "x"); }).find("expected OBJ, STL, MSH or COLLADA") != std::string::npos);
    CHECK(message_of([] { read_obj(bytes_of("v 0 0\n"), "f: "); }) == "f: line 1: a vertex needs three coordinates");
    CHECK(message_of([] { read_obj(bytes_of("v 0 0 0\nf 1 2 3\n"), "f: "); }).find("line 2") != std::string::npos);
    CHECK_FALSE(message_of([] { read_obj(bytes_of("v 0 0 1,5\n"), ""); }).empty());
    CHECK_FALSE(message_of([] { read_stl({}, ""); }).empty());
    const std::string triangle = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n";
    CHECK(message_of([&] { read_stl(bytes_of(triangle + "endsolid\n"), ""); }).empty());
    CHECK_FALSE(message_of([&] { read_stl(bytes_of(triangle), ""); }).empty());  // cut off where a triangle ends
    CHECK_FALSE(message_of([] { read_msh(std::vector<char>(15), ""); }).empty());
}

TEST_CASE("Truncated and random bytes never do more than throw", "[io]") {
    std::mt19937 random(4);
    const auto whole = binary_stl();
    for (std::size_t n = 0; n < whole.size(); ++n) {
        const std::vector<char> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
        CHECK_FALSE(message_of([&] { read_stl(part, ""); }).empty());
    }
    for (int i = 0; i < 2000; ++i) {
        std::vector<char> noise(random() % 200);
        for (char& c : noise) c = static_cast<char>(random() % (i % 2 ? 256 : 64));
        message_of([&] { read_stl(noise, ""); });
        message_of([&] { read_obj(noise, ""); });
        message_of([&] { read_msh(noise, ""); });
        message_of([&] { detail::read_hfield_binary(noise, ""); });
        message_of([&] { read_png_grey(noise, ""); });
    }
}

TEST_CASE("Height field data is scaled to the unit interval", "[io]") {
    SpecHfield spec;
    spec.size = {1, 1, 1, 1};
    spec.nrow = 2;
    spec.ncol = 2;
    spec.elevation = {-1, 3, 1, 0};
    CHECK(load_hfield(spec).data == std::vector<float>{0, 1, 0.5f, 0.25f});
    spec.elevation = {7, 7, 7, 7};
    CHECK(load_hfield(spec).data == std::vector<float>{0, 0, 0, 0});
    spec.elevation = {1, 2, 3};
    CHECK_FALSE(message_of([&] { load_hfield(spec); }).empty());
    spec.elevation = {1, 2, 3, 4};
    spec.size[2] = 0;
    CHECK_FALSE(message_of([&] { load_hfield(spec); }).empty());
}

TEST_CASE("A binary height field keeps its rows", "[io]") {
    std::vector<char> bytes;
    append<std::int32_t>(bytes, 2);
    append<std::int32_t>(bytes, 3);
    for (int i = 0; i < 6; ++i) append<float>(bytes, static_cast<float>(i));
    const HfieldData field = detail::read_hfield_binary(bytes, "");
    CHECK(field.nrow == 2);
    CHECK(field.ncol == 3);
    CHECK(field.data[5] == 5);
    bytes.pop_back();
    CHECK_FALSE(message_of([&] { detail::read_hfield_binary(bytes, ""); }).empty());
}

#ifdef MJX_HAVE_PNG
TEST_CASE("The top row of a PNG image is the last row of the height field", "[io]") {
    // 2x2, 8-bit grey: 0 85 / 170 255
    const unsigned char png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
                                 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0x57, 0xdd, 0x52, 0xf8, 0x00, 0x00, 0x00,
                                 0x0e, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x08, 0x65, 0x58, 0xf5, 0x1f, 0x00, 0x03, 0xad, 0x01,
                                 0xff, 0x7a, 0x93, 0x84, 0x7f, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    const std::vector<char> bytes(png, png + sizeof(png));
    const HfieldData field = detail::read_hfield_png(bytes, "");
    REQUIRE(field.data.size() == 4);
    CHECK(field.data == std::vector<float>{170, 255, 0, 85});
}
#endif
