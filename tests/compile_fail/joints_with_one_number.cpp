// expect: two joints of a joint_set have the same type
#include "mjx/joints.hpp"

struct Rail : mjx::Slide {
    static constexpr int type = mjx::jnt::user;
};
struct Track : mjx::Slide {
    static constexpr int type = mjx::jnt::user;
};
mjx::joint_set<Rail, Track> joints;
