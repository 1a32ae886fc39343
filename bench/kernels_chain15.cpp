#include "kernels.hpp"

#include "chain15.hpp"

int main(int argc, char** argv) { return bench::run_kernels<models::Chain15>("chain15", argc, argv); }
