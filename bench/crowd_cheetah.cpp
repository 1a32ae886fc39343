// Cheetahs that hop about, each in a pose of its own.
#include "crowd.hpp"

#include "cheetah.hpp"

int main(int argc, char** argv) { return bench::run_crowds<models::Cheetah>({"cheetah", "tests/models/", 0.5, 1000}, argc, argv); }
