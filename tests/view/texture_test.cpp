// Textures: which pictures a scene reads, where they lie on its surfaces, and how they get into files.
#include "catch.hpp"

#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/recorder.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

using namespace mjx::inner::show;
namespace shape = mjx::inner::shape;

namespace {

// A folder with pictures and a mesh, gone afterwards.
struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / "mjx_texture_test";
    Folder() {
        std::filesystem::create_directories(path / "pictures");
        for (const char* name : {"used.png", "unused.png", "sky.png"})
            write_file((path / "pictures" / name).string(), png(2, 1, std::string("\xff\0\0\0\0\xff", 6)));
        write_file((path / "pictures" / "broken.png").string(), "not a picture");
        write_file((path / "tetra.obj").string(), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0.1 0.2\nvt 0.3 0.4\nvt 0.5 0.6\n"
                                                  "f 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 1/1 4/2 3/3\nf 2/1 3/2 4/3\n");
    }
    ~Folder() { std::filesystem::remove_all(path); }
    mjx::Model<double> load(const std::string& inside) const {
        const std::string file = (path / "model.xml").string();
        write_file(file, "<mujoco><compiler texturedir='pictures'/>" + inside + "</mujoco>");
        return mjx::load_mjcf(file);
    }
};

const char* const assets = R"(<asset>
    <texture name="used" type="2d" file="used.png"/><texture name="unused" type="2d" file="unused.png"/>
    <texture name="missing" type="2d" file="missing.png"/><texture name="broken" type="2d" file="broken.png"/>
    <texture name="sky" type="skybox" fileright="sky.png" fileleft="sky.png" fileup="sky.png"/>
    <material name="used" texture="used"/><material name="unused" texture="unused"/>
    <material name="missing" texture="missing"/><material name="broken" texture="broken"/>
    <mesh name="tetra" file="tetra.obj"/><mesh name="mirrored" file="tetra.obj" scale="1 1 -1"/></asset>)";

}  // namespace

TEST_CASE("pictures that something shows are read once; those that cannot be are named and left out") {
    const Folder folder;
    const Scene s = make_scene(folder.load(assets + std::string(R"(<worldbody>
        <geom size="0.1" material="used"/><geom size="0.2" material="used"/><geom size="0.1" material="missing"/>
        <geom size="0.1" material="broken"/></worldbody>)")));
    REQUIRE(s.pictures.size() == 2);
    CHECK(s.pictures[0] == png(2, 1, std::string("\xff\0\0\0\0\xff", 6)));
    CHECK(s.texture_pictures[0] == TexturePictures{0, -1, -1, -1, -1, -1});
    CHECK(s.texture_pictures[1] == TexturePictures{-1, -1, -1, -1, -1, -1});
    CHECK(s.texture_pictures[4] == TexturePictures{1, 1, 1, -1, -1, -1});
    REQUIRE(s.troubles.size() == 2);
    CHECK(s.troubles[0].find("missing.png") != std::string::npos);
    CHECK(s.troubles[1].find("broken.png': is not a PNG picture") != std::string::npos);
}

TEST_CASE("a mesh has the texture coordinates of its file, from the upper left corner, mirrored or not") {
    const Folder folder;
    const Scene s = make_scene(folder.load(assets + std::string(R"(<worldbody><geom type="mesh" mesh="tetra" material="used"/>
        <geom type="mesh" mesh="mirrored" material="used"/><geom type="mesh" mesh="tetra"/></worldbody>)")));
    for (std::size_t g = 0; g < 2; ++g) {
        const Surface& surface = s.surfaces[static_cast<std::size_t>(s.geoms[g].surface)];
        REQUIRE(surface.uv.size() == surface.vert.size());
        REQUIRE(surface.index.size() == 12);
        // each face has the three of the file, turned over in the mirror, whatever comes first
        for (std::size_t i = 0; i < 12; i += 3) {
            const auto at = [&](std::size_t k) { return surface.uv[surface.index[i + k % 3]]; };
            std::size_t first = 0;
            while (first < 2 && at(first)[0] != 0.1f) ++first;
            CHECK(at(first)[0] == 0.1f);
            CHECK(at(first)[1] == 0.8f);
            CHECK(at(first + 1)[0] == (g == 0 ? 0.3f : 0.5f));
            CHECK(at(first + 2)[0] == (g == 0 ? 0.5f : 0.3f));
        }
    }
    CHECK(s.geoms[2].surface != s.geoms[0].surface);
    CHECK(s.surfaces[static_cast<std::size_t>(s.geoms[2].surface)].uv.empty());
}

TEST_CASE("primitive surfaces have a place in a picture for every vertex") {
    for (const Surface& s : {round_surface({{0.5f, 0.5f, 0.5f}}, 0), round_surface({{0.2f, 0.2f, 0.2f}}, 0.7f),
                             cylinder_surface(0.3f, 0.4f), box_surface({{0.1f, 0.2f, 0.3f}}), plane_surface(1, 2)}) {
        REQUIRE(s.uv.size() == s.vert.size());
        for (const Vec2f& uv : s.uv)
            for (int i = 0; i < 2; ++i) CHECK((uv[i] >= -1e-6f && uv[i] <= 1 + 1e-6f));
    }
    // the top row of a picture is at the top of a ball
    const Surface ball = round_surface({{1, 1, 1}}, 0);
    for (std::size_t i = 0; i < ball.vert.size(); ++i) CHECK(std::abs(std::cos(std::numbers::pi * ball.uv[i][1]) - ball.vert[i][2]) < 1e-6);
}

TEST_CASE("a picture covers a geom as often as its material says") {
    mjx::inner::MaterialLook look;
    look.texrepeat = {{4, 5}};
    const mjx::inner::TextureLook texture;
    const Vec3f size{{2, 3, 0.1f}};
    const auto across = [&](const TextureMapping& map, int i) { return std::abs(map.repeat[i]) * 2 * size[i]; };
    TextureMapping map = texture_mapping(shape::plane, size, look, texture, true);
    CHECK(across(map, 0) == 4);
    CHECK(across(map, 1) == 5);
    CHECK(map.repeat[0] * -size[0] + map.offset[0] == 0);  // its upper left corner is at -x, +y
    CHECK(map.repeat[1] * size[1] + map.offset[1] == 0);
    look.texuniform = true;
    map = texture_mapping(shape::plane, size, look, texture, true);
    CHECK(across(map, 0) == 8);
    CHECK(across(map, 1) == 15);
    map = texture_mapping(shape::box, size, look, texture, true);
    CHECK(map.repeat[0] == 8);
    map = texture_mapping(shape::hfield, size, look, texture, false);
    CHECK(across(map, 1) == 15);
    look.texuniform = false;
    CHECK(texture_mapping(shape::box, size, look, texture, true).repeat[1] == 5);
    CHECK(across(texture_mapping(shape::hfield, size, look, texture, false), 0) == 4);
    CHECK(texture_mapping(shape::box, size, look, texture, true).wrap[0] == 0.5f);
    CHECK(texture_mapping(shape::mesh, size, look, texture, true).wrap[0] == 1);
}

TEST_CASE("recordings carry the pictures, as they are") {
    const Folder folder;
    const auto model = folder.load(assets + std::string(R"(<worldbody><geom type="plane" size="1 1 1" material="used"/>
        <body pos="0 0 1"><freejoint/><geom type="mesh" mesh="tetra" material="used"/></body></worldbody>)"));
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(model);
    mjx::Recorder recorder(sim);
    sim.forward();
    recorder.keep();
    const std::string file = glb(recorder.recording()), picture = png(2, 1, std::string("\xff\0\0\0\0\xff", 6));
    const std::size_t at = file.find(picture);
    CHECK(at != std::string::npos);
    CHECK(file.find(picture, at + 1) == std::string::npos);  // once
    CHECK(file.find("TEXCOORD_0") != std::string::npos);
    write_file((folder.path / "three.module.js").string(), "");
    const std::string page = recording_html(recorder.recording(), folder.path);
    CHECK(page.find("id=\"mjx-picture-0\"") != std::string::npos);
}

TEST_CASE("recorded contacts come back within a 65535th of their range") {
    std::vector<Frame> frames(3);
    frames[0].contact = {0, 0, 0, 0, 0, 1, 0, 0, 100};
    frames[2].contact = {1, -1, 0.25f, 0, 0, 1, 3, 0, 50, 0.5f, 0.5f, 0.125f, 0, 1, 0, 0, 0, 0};
    const ContactTrack track(frames);
    CHECK(track.about().find("\"counts\":[1,0,2]") != std::string::npos);
    REQUIRE(track.bytes().size() == 3 * 9 * sizeof(std::int16_t));
    const auto place = [&](std::size_t i) {
        std::int16_t x;
        std::memcpy(&x, track.bytes().data() + 2 * i, 2);
        return x + 32768;
    };
    CHECK(place(0) == 0);
    CHECK(place(9) == 65535);
    CHECK(place(18) == 32768);
    CHECK(place(8) == 65535);  // 100 N, the greatest
    CHECK(place(17) == 32768);
}
