// expect: joint_set takes joints: those of mjx/joints.hpp, or structs of your own
#include "mjx/joints.hpp"

mjx::joint_set<int> joints;
