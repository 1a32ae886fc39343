// Humanoids that fell and move on the floor, each in a pose of its own.
#include "crowd.hpp"

#include "humanoid.hpp"

int main(int argc, char** argv) { return bench::run_crowds<models::Humanoid>({"humanoid", "tests/models/", 0.3, 1000}, argc, argv); }
