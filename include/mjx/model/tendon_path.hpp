// The elements of tendons' paths (wrap::): joints of fixed tendons; sites, pulleys and the geoms that spatial ones go around.
#pragma once

#include "mjx/model/types.hpp"

namespace mjx::inner {

constexpr bool wraps_around(int type) { return type == wrap::sphere || type == wrap::cylinder; }

// The body that element w of a path is on; -1 for a pulley.
template <class M>
constexpr int wrap_body(const M& m, int w) {
    const int type = m.wrap_type[w], id = m.wrap_objid[w];
    if (type == wrap::joint) return m.jnt_bodyid[id];
    if (type == wrap::site) return m.site_bodyid[id];
    return wraps_around(type) ? static_cast<int>(m.geom_bodyid[id]) : -1;
}

}  // namespace mjx::inner
