// Arms that push a box about, each in a pose of its own.
#include "crowd.hpp"

#include "pusher.hpp"

int main(int argc, char** argv) { return bench::run_crowds<models::Pusher>({"pusher", "bench/models/", 0.2, 1000}, argc, argv); }
