// expect: a joint of your own has a type from mjx::jnt::user on
#include "mjx/joints.hpp"

struct Rail : mjx::Slide {};
mjx::joint_set<mjx::Hinge, Rail> joints;
