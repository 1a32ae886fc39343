// Many humanoids in one scene: how the cost of a step grows from 1 to 64 of them, runtime model, Euler and Newton.
#include "axes.hpp"

#include <filesystem>
#include <fstream>

namespace {

// A scene of n humanoids side by side, out of each other's reach, as an MJCF file of its own.
std::string crowd(int n) {
    const auto path = std::filesystem::temp_directory_path() / ("mjx_crowd_" + std::to_string(n) + ".xml");
    std::ofstream(path) << "<mujoco><option timestep='0.005'/><asset><model name='h' file='" << bench::scene("humanoid")
                        << "'/></asset><worldbody><geom type='plane' size='0 0 1'/><replicate count='" << n
                        << "' offset='3 0 0'><frame><attach model='h' body='torso' prefix='h'/></frame></replicate></worldbody></mujoco>";
    return path.string();
}

}  // namespace

int main(int argc, char** argv) {
    using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    std::vector<bench::Contest> contests;
    for (const int n : {1, 2, 4, 8, 16, 22, 32, 64}) {
        const std::string path = crowd(n);
        bench::Contest contest(std::to_string(n) + " humanoids in one scene");
        const int settle = 400;
#ifdef MJX_HAVE_MUJOCO
        auto mujoco = std::make_shared<bench::Mujoco>(path, true);
        for (int i = 0; i < settle; ++i) mujoco->step();
        contest.add(
            "MuJoCo", [mujoco] { mujoco->step(); }, n);
#endif
        auto sim = std::make_shared<bench::Driven<Sim>>(mjx::load_mjcf(path));
        for (int i = 0; i < settle; ++i) sim->step();
        contest.add(
            "double, runtime model", [sim] { sim->step(); }, n);
        contests.push_back(std::move(contest));
        std::filesystem::remove(path);
    }
    std::printf("Times are per humanoid: a constant column means that the cost grows linearly.\n");
    return bench::run_all(std::move(contests), argc, argv);
}
