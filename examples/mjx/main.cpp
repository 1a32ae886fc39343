// mjx: inspect, dump, run and time MJCF models from the command line.
#include "command.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace {

constexpr const char* help = R"(mjx - MuJoCo's physics as C++ templates

  mjx info MODEL                     sizes, options, and the bodies as a tree
  mjx convert MODEL FILE.xml         write the model as MJCF, such as a URDF with its options applied
  mjx dump MODEL [options]           set a state, take steps, print every field: `name count v1 v2 ...`
  mjx run MODEL [options]            simulate with a progress line; --csv FILE writes a table, --plot FILE.svg draws curves
  mjx bench MODEL [options]          steps per second
  mjx view MODEL [options]           simulate in real time and show it in a browser, at the address that is printed
  mjx record MODEL -o FILE [options] simulate and write a recording: FILE.html, which any browser plays, or FILE.glb for Blender
  mjx plot FILE.csv -o FILE.svg      draw the columns of a table, such as mjx run writes, against the first

MODEL is an MJCF or URDF file. Options for URDF, wherever a model is taken:
  --package NAME=DIR  the folder of a package, for package://NAME/...; may be repeated
  --repair-inertia    make masses and inertias that no body has the nearest ones that a body can have
  --floating-base     free the root instead of fixing it to the world
  --actuators         motors from transmissions and effort limits
  --soft-limits       joints end where their <safety_controller> says
  --visuals           keep the shapes that are only seen, as view and record do anyway
  --link-mass M       the mass of links without <inertial>
Options:
  --state FILE        start from a state file (lines `name count v1 v2 ...`)
  --key K             start from keyframe K, a number or a name
  --steps N           steps to take (dump: 0, run: 1000, bench: 10000)
  --solver S          SOLVERS instead of the model's
  --integrator I      INTEGRATORS
                      instead of the model's
  --cone C            pyramidal or elliptic instead of the model's
  --iterations N      solver iterations
  --tolerance T       solver tolerance
  --budget B          what the file may ask for: bytes, elements, copies, numbers, range_steps, seconds, strict, as in elements=5000000,seconds=60
  --mujoco V          3.12, 3.13 or 3.14 (the default): the MuJoCo whose answers are wanted where they differ
  --scalar S          dump, run: double (default) or float
  --ctrl C            dump, run, bench, record: a number for all controls, one for each with commas between them, or a table (.csv) with
                      a row for each step and the names of actuators in its first line
  --csv FILE          run: a table of time, joints, controls and sensors by their names
  --plot FILE.svg     run: energies, joints and sensors against time
  -o FILE             record, plot: what to write
  --seconds T         record: simulated time (10)
  --fps N             record, view: frames per second (60)
  --port P            view: where to listen (7410, or one of the next twenty)
  --host ADDRESS      view: an address of this machine, if others shall see it (127.0.0.1); the page's address then has a token
  --three FOLDER      view, record: where three.js is (what `bash examples/view.sh` installed)
  --help, --version

Exit codes: 0, 1 for trouble, 2 when the simulation diverged and was reset.
)";

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const auto said = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    if (words.empty() || words[0] == "help" || said("--help") || said("-h")) {
        std::fputs(command::with_names(help).c_str(), stdout);
        return 0;
    }
    if (words[0] == "--version") {
        std::puts("mjx " MJX_VERSION ", which agrees with MuJoCo 3.14");
        return 0;
    }
    struct Subcommand {
        const char* name;
        int (*run)(const command::Options&);
    };
    static constexpr Subcommand subcommands[] = {{"info", command::info},   {"dump", command::dump},      {"run", command::run},
                                                 {"bench", command::bench}, {"view", command::view},      {"record", command::record},
                                                 {"plot", command::plot},   {"convert", command::convert}};
    try {
        const command::Options options = command::parse_options(words[0], {words.begin() + 1, words.end()});
        int code = 0;
        for (const Subcommand& subcommand : subcommands)
            if (words[0] == subcommand.name) code = subcommand.run(options);
        if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw std::runtime_error("the output cannot be written");
        return code;
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "mjx: %s\n", trouble.what());
    }
    return command::exit_trouble;
}
