// Which tables of a model follow from which, by their names; robotics/parameters.hpp computes them.
#pragma once

#include <string_view>

namespace mjx::inner {

namespace detail {

template <class... Names>
constexpr bool is_one_of(std::string_view name, Names... names) {
    return ((name == names) || ...);
}
// What bodies and joints weigh.
constexpr bool is_weight(std::string_view name) {
    return is_one_of(name, "body_mass", "body_inertia", "dof_armature", "tendon_armature", "actuator_armature");
}
// Poses within bodies.
constexpr bool is_pose(std::string_view name) { return name.ends_with("pos") || name.ends_with("quat"); }
// What goes into places and lengths at rest.
constexpr bool is_place(std::string_view name) {
    return is_pose(name) || name.ends_with("axis") ||
           is_one_of(name, "qpos0", "qpos_spring", "geom_size", "tendon_lengthspring", "actuator_gear", "actuator_cranklength", "wrap_prm",
                     "eq_data", "light_dir");
}

}  // namespace detail

// Whether constants follow from a parameter (stage/constants.hpp): masses, poses and lengths at rest.
constexpr bool has_consequences(std::string_view name) { return detail::is_weight(name) || detail::is_place(name); }

// Shortcuts of the kinematics: which frames coincide (stage/same_frames.hpp). They are numbers of kinds, not of reals.
constexpr bool is_shortcut(std::string_view name) {
    return detail::is_one_of(name, "body_sameframe", "geom_sameframe", "site_sameframe", "body_turned", "jnt_offset", "dof_alone");
}

// Whether `table` may change when `given` does. The model's statistics are one table, "stat", here.
constexpr bool follows_from(std::string_view table, std::string_view given) {
    using detail::is_one_of;
    const bool bulk = given == "geom_size";
    if (is_one_of(table, "geom_mass", "geom_inertia", "body_inertia")) return bulk || given == "body_mass";
    if (is_one_of(table, "body_mass", "body_ipos", "body_iquat", "geom_aabb", "geom_rbound", "geom_fluid")) return bulk;
    if (table == "dof_alone" && given == "jnt_axis") return true;
    if (is_shortcut(table)) return bulk || detail::is_pose(given);
    if (is_one_of(table, "stat", "body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0", "tendon_invweight0", "actuator_acc0",
                  "cam_poscom0", "light_poscom0"))
        return has_consequences(given);
    if (is_one_of(table, "dof_length", "tendon_length0", "tendon_lengthspring", "actuator_length0", "eq_data", "cam_pos0", "cam_mat0",
                  "light_pos0", "light_dir0"))
        return detail::is_place(given);
    return false;
}

}  // namespace mjx::inner
