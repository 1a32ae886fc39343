// mjx: inspect, dump, run and time MJCF models from the command line.
#include "command.hpp"

#include <cstdio>
#include <stdexcept>

namespace {

constexpr const char* help = R"(mjx - MuJoCo's physics as C++ templates

  mjx info MODEL                     sizes, options, and the bodies as a tree
  mjx dump MODEL [options]           set a state, take steps, print every field: `name count v1 v2 ...`
  mjx run MODEL [options]            simulate with a progress line; --csv FILE writes time, qpos, qvel; --plot FILE.svg draws curves
  mjx bench MODEL [options]          steps per second
  mjx view MODEL [options]           simulate in real time and show it in a browser, at the address that is printed
  mjx record MODEL -o FILE [options] simulate and write a recording: FILE.html, which any browser plays, or FILE.glb for Blender
  mjx plot FILE.csv -o FILE.svg      draw the columns of a table, such as mjx run writes, against the first

MODEL is an MJCF or URDF file. Options:
  --state FILE        start from a state file (lines `name count v1 v2 ...`)
  --key K             start from keyframe K, a number or a name
  --steps N           steps to take (dump: 0, run: 1000, bench: 10000)
  --solver S          PGS, CG or Newton instead of the model's
  --integrator I      Euler, RK4, implicit or implicitfast instead of the model's
  --cone C            pyramidal or elliptic instead of the model's
  --iterations N      solver iterations
  --tolerance T       solver tolerance
  --scalar S          dump: double (default) or float
  --csv FILE          run: where to write the trajectory
  --plot FILE.svg     run: energies, joints and sensors against time
  -o FILE             record, plot: what to write
  --seconds T         record: simulated time (10)
  --fps N             record, view: frames per second (60)
  --port P            view: where to listen (7410, or one of the next twenty)
  --host ADDRESS      view: an address of this machine, if others shall see it (127.0.0.1); the page's address then has a token
  --three FOLDER      view, record: where three.js is (what `bash examples/view.sh` installed)
  --help              this text
)";

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    for (const std::string& word : words)
        if (word == "--help" || word == "-h" || words[0] == "help") {
            std::fputs(help, stdout);
            return 0;
        }
    try {
        if (words.empty()) {
            std::fputs(help, stderr);
            return 1;
        }
        const command::Options options = command::parse_options(words[0], {words.begin() + 1, words.end()});
        if (words[0] == "info") command::info(options);
        if (words[0] == "dump") command::dump(options);
        if (words[0] == "run") command::run(options);
        if (words[0] == "bench") command::bench(options);
        if (words[0] == "view") command::view(options);
        if (words[0] == "record") command::record(options);
        if (words[0] == "plot") command::plot(options);
        if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw std::runtime_error("the output cannot be written");
        return 0;
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "mjx: %s\n", trouble.what());
    }
    return 1;
}
