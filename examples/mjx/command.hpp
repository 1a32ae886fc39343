// The `mjx` command: what its parts share.
#pragma once

#include "mjx/model.hpp"
#include "mjx/spec.hpp"

#include <optional>
#include <string>
#include <vector>

namespace command {

struct Options {
    std::string model;
    std::optional<std::string> state, csv, output, plot, host, three;
    std::optional<std::string> solver, integrator, cone, scalar, key;
    std::optional<int> iterations, steps, port;
    std::optional<double> tolerance, seconds, fps;
};

// Reads the options after the subcommand; trouble is a std::runtime_error for people.
Options parse_options(const std::string& subcommand, const std::vector<std::string>& words);

// The model with the options of the command line applied.
mjx::Model<double> load(const Options& options);

void info(const Options& options);
void dump(const Options& options);
void run(const Options& options);
void bench(const Options& options);
void view(const Options& options);
void record(const Options& options);
void plot(const Options& options);

// dump, for one scalar each: the program is compiled in parts.
std::string dump_double(const mjx::Model<double>& model, const Options& options);
std::string dump_float(const mjx::Model<double>& model, const Options& options);

}  // namespace command
