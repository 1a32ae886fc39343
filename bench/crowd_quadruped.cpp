// Quadrupeds on their feet, each in a pose of its own.
#include "crowd.hpp"

#include "quadruped.hpp"

int main(int argc, char** argv) { return bench::run_crowds<models::Quadruped>({"quadruped", "bench/models/", 0.1, 1000}, argc, argv); }
