#include "kernels.hpp"

#include "pendulum.hpp"

int main(int argc, char** argv) { return bench::run_kernels<models::Pendulum>("pendulum", argc, argv); }
