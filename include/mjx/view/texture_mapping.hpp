// texture_mapping: how the texture of a material lies on a geom, by MuJoCo's rules.
//
// A flat texture is seen at repeat * uv + offset, where uv are the coordinates of the surface or, where it has none and for planes, x
// and y. A cube's is that of the direction wrap * p from the centre, for a point p of the surface. All in the frame of the geom.
#pragma once

#include "mjx/model/shape/list.hpp"
#include "mjx/model/types.hpp"
#include "mjx/model/visual.hpp"
#include "mjx/view/surface.hpp"

namespace mjx::inner::show {

struct TextureMapping {
    Vec2f repeat{{1, 1}}, offset{{0, 0}};
    Vec3f wrap{{1, 1, 1}};
};

// `size`: the half sizes of the box around the geom. `own`: the surface has texture coordinates. The picture then covers it texrepeat
// times; a uniform one does so on two units of length.
inline TextureMapping texture_mapping(int type, const Vec3f& size, const MaterialLook& material, const TextureLook& texture, bool own) {
    TextureMapping map;
    const bool flat = is_endless(type), uniform = material.texuniform;
    for (int i = 0; i < 2; ++i) {
        const float times = material.texrepeat[i] > 0 ? material.texrepeat[i] : 1;
        const bool endless = !(size[i] > 0);
        if (own && !flat) {
            map.repeat[i] = uniform && !endless ? times * size[i] : times;
        } else {
            const float along = uniform || endless ? times / 2 : times / (2 * size[i]);
            map.repeat[i] = i == 0 ? along : -along;
            map.offset[i] = flat ? (endless ? 0 : along * size[i]) : -0.5f;
        }
        if (i == 0 ? texture.hflip : texture.vflip) map.repeat[i] *= -1, map.offset[i] *= -1;
    }
    // shapes are wrapped at unit size, meshes and height fields as they are; with a uniform texture the other way round
    const bool as_it_is = is_from_asset(type);
    for (int i = 0; i < 3; ++i)
        if (size[i] > 0 && uniform == as_it_is) map.wrap[i] = as_it_is ? size[i] : 1 / size[i];
    return map;
}

}  // namespace mjx::inner::show
