// Visual: how a model looks. Viewers and recorders read it; no stage does, and fixed models leave it out.
//
// model.visual is shared by the copies of a model and null for models made without a file or Spec. Colours are MuJoCo's (sRGB, 0 to 1).
#pragma once

#include "mjx/math/vec.hpp"

#include <string>
#include <vector>

namespace mjx::inner {

using Rgba = Vec<float, 4>;
using Rgb = Vec3<float>;

namespace texture_type {
enum : int { flat, cube, skybox };
}
namespace texture_builtin {
enum : int { none, gradient, checker, flat };
}

// Pictures from files are not read: such a texture has no builtin, and what it covers keeps the colour of its material.
struct TextureLook {
    int type = texture_type::cube;
    int builtin = texture_builtin::none;
    int mark = 0;  // none, edge, cross, random
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

struct Visual {
    ViewLook view{};
    std::vector<TextureLook> textures{};
    std::vector<MaterialLook> materials{};
    std::vector<Look> geoms{}, sites{}, tendons{};
    std::vector<float> tendon_width{};
    std::vector<LightLook> lights{};

    Rgba color(const Look& look) const {
        bool own = look.material < 0;
        for (int i = 0; i < 4; ++i) own = own || look.rgba[i] != default_rgba[i];
        return own ? look.rgba : materials[static_cast<std::size_t>(look.material)].rgba;
    }
};

}  // namespace mjx::inner
