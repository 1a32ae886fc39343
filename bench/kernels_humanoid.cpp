#include "kernels.hpp"

#include "humanoid.hpp"

int main(int argc, char** argv) { return bench::run_kernels<models::Humanoid>("humanoid", argc, argv); }
