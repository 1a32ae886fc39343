#include "kernels.hpp"

#include "cheetah.hpp"

int main(int argc, char** argv) { return bench::run_kernels<models::Cheetah>("cheetah", argc, argv); }
