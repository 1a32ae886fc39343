// UrdfOptions: what a URDF file leaves open, and what shall be done about its mistakes.
#pragma once

#include "mjx/scalar/language.hpp"

#include <functional>
#include <map>
#include <string>

namespace mjx::inner {

struct UrdfOptions {
    // Folders of packages, for package://NAME/... and model://NAME/... Others are looked for in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and
    // GAZEBO_MODEL_PATH, then above the file.
    std::map<std::string, std::string> packages{};
    // Masses that are not positive and inertias that no body has become the nearest ones that a body can have, with a warning.
    // Without it they are errors.
    bool repair_inertia = false;
    bool floating_base = false;  // the root gets a free joint instead of being fixed to the world
    bool actuators = false;  // a motor for each joint with a <transmission> or an effort limit, named after the joint
    bool soft_limits = false;  // joints end where their <safety_controller> says, not where their <limit> does
    bool keep_links = false;  // every link is a body; without it, as in MuJoCo, those that no joint moves are part of their parents
    bool visuals = false;  // keep the <visual> shapes: in group 1, without mass or contact
    // Of a link without <inertial>, with an inertia of 0.001 m² times it. 0: its shapes have the density of water, as in MuJoCo.
    double link_mass = 0;
    std::function<void(const std::string&)> on_warning{};  // by default a line on stderr
};

}  // namespace mjx::inner
