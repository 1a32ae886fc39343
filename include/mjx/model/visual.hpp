// Visual: how a model looks. Viewers and recorders read it; no stage does, and fixed models leave it out.
//
// model.visual is shared by the copies of a model and null for models made without a file or Spec. Colours are MuJoCo's (sRGB, 0 to 1).
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/model/list.hpp"

#include <array>
#include <string>

namespace mjx::inner {

using Rgba = Vec<float, 4>;
using Rgb = Vec3<float>;

namespace texture_type {
enum : int { flat, cube, skybox };
}
namespace texture_builtin {
enum : int { none, gradient, checker, flat };
}

// Pictures stay in their files until a viewer wants them: six for the sides of a cube (+x, -x, +y, -y, +z, -z), or one, the first, for
// all of it: in a grid of squares, or the same on every side.
struct TextureLook {
    int type = texture_type::cube;
    int builtin = texture_builtin::none;
    std::array<std::string, 6> files{};
    Vec<int, 2> gridsize{{1, 1}};  // rows, columns
    std::string gridlayout{};  // row by row: R L U D F B as the sides above, '.' for none
    bool hflip = false, vflip = false;
    int mark = 0;  // none, edge, cross, random
    float random = 0.01f;  // the share of pixels that have a random mark
    Vec<int, 2> pixels{{0, 0}};  // of the builtin: width, height
    Rgb rgb1{{0.8f, 0.8f, 0.8f}}, rgb2{{0.5f, 0.5f, 0.5f}}, markrgb{{0, 0, 0}};
};

struct MaterialLook {
    int texture = -1;
    Vec<float, 2> texrepeat{{1, 1}};
    bool texuniform = false;
    float emission = 0, specular = 0.5f, shininess = 0.5f, reflectance = 0;
    float metallic = -1, roughness = -1;  // negative: not given
    Rgba rgba{{1, 1, 1, 1}};
};

struct LightLook {
    int type = 0;  // spot, directional, point, image
    bool active = true, castshadow = true;
    float cutoff = 45;  // degrees
    Rgb ambient{{0, 0, 0}}, diffuse{{0.7f, 0.7f, 0.7f}}, specular{{0.3f, 0.3f, 0.3f}};
};

// A geom, site or tendon: its own colour counts where it is not the default or there is no material.
inline constexpr Rgba default_rgba{{0.5f, 0.5f, 0.5f, 1}};
struct Look {
    Rgba rgba = default_rgba;
    int material = -1;
};

// The light at the camera, and where the camera starts (degrees).
struct ViewLook {
    Rgb headlight_ambient{{0.1f, 0.1f, 0.1f}}, headlight_diffuse{{0.4f, 0.4f, 0.4f}}, headlight_specular{{0.5f, 0.5f, 0.5f}};
    bool headlight = true;
    float azimuth = 90, elevation = -45, fovy = 45;
};

// Where the texture coordinates of a mesh are: in the element itself (two for each vertex), or still in its file.
struct MeshLook {
    std::string name{}, file{}, content_type{};
    List<float> texcoord{};
};

struct Visual {
    ViewLook view{};
    List<MeshLook> meshes{};
    List<TextureLook> textures{};
    List<MaterialLook> materials{};
    List<Look> geoms{}, sites{}, tendons{};
    List<float> tendon_width{};
    List<LightLook> lights{};

    Rgba color(const Look& look) const {
        bool own = look.material < 0;
        for (int i = 0; i < 4; ++i) own = own || look.rgba[i] != default_rgba[i];
        return own ? look.rgba : materials[static_cast<std::size_t>(look.material)].rgba;
    }
};

}  // namespace mjx::inner
