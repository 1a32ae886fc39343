#include "load.hpp"

#include "mjx/compile/load.hpp"

mjx::Model<double> load_model(const std::string& path) { return mjx::load_mjcf(path); }
mjx::Model<double> load_model_string(const std::string& mjcf, int mujoco) {
    mjx::Spec spec = mjx::parse_mjcf_string(mjcf, "<string>", "", {});
    spec.option.mujoco = mujoco;
    return mjx::compile(spec);
}
mjx::Model<double> load_scene(const std::string& name) { return mjx::load_mjcf(MJX_TESTS_DIR "/models/" + name + ".xml"); }
mjx::Model<double> compile_spec(const mjx::Spec& spec) { return mjx::compile(spec); }
