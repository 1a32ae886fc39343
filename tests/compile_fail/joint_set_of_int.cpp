// expect: joint_set takes the joint types mjx::Hinge, mjx::Slide, mjx::Ball and mjx::Free
#include "mjx/joints.hpp"

mjx::joint_set<int> joints;
