// Loading models in tests, compiled once for all of them: the reader and the compiler of models take longer to build than most
// tests. Scenes are the files in tests/models.
#pragma once

#include "rooms.hpp"

#include "mjx/compiled.hpp"
#include "mjx/model/model.hpp"
#include "mjx/model/spec.hpp"

#include <string>

mjx::Model<double> load_model(const std::string& path);
mjx::Model<double> load_model_string(const std::string& mjcf, int mujoco = 314);  // with the answers of that version (Option)
mjx::Model<double> load_scene(const std::string& name);  // "humanoid" for tests/models/humanoid.xml
mjx::Model<double> compile_spec(const mjx::Spec& spec);
