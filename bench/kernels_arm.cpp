#include "kernels.hpp"

#include "arm.hpp"

int main(int argc, char** argv) { return bench::run_kernels<models::Arm>("arm", argc, argv); }
