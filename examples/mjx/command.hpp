// The `mjx` command: what its parts share.
#pragma once

#include "mjx/load.hpp"

#include <optional>
#include <string>
#include <vector>

namespace command {

inline constexpr int exit_trouble = 1;   // the command could not do what it was asked for
inline constexpr int exit_diverged = 2;  // it did, and the simulation did not stay finite

struct Options {
    std::string model;
    std::string second{};  // convert: what to write
    mjx::UrdfOptions urdf{};
    std::optional<std::string> state, csv, output, plot, host, three, ctrl;
    std::optional<std::string> solver, integrator, cone, scalar, key, mujoco;
    std::optional<int> iterations, steps, port;
    std::optional<double> tolerance, seconds, fps;
    mjx::Budget budget{};
};

// The help with the names of all solvers and integrators in their places.
std::string with_names(std::string help);

// Reads the options after the subcommand; trouble is a std::runtime_error for people.
Options parse_options(const std::string& subcommand, const std::vector<std::string>& words);

// The model with the options of the command line applied.
mjx::Model<double> load(const Options& options);

// The subcommands; each gives the exit code.
int info(const Options& options);
int convert(const Options& options);
int dump(const Options& options);
int run(const Options& options);
int bench(const Options& options);
int view(const Options& options);
int record(const Options& options);
int plot(const Options& options);

}  // namespace command
