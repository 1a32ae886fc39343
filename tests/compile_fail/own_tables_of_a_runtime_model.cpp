// expect: WithOwn takes a model written by mjx_add_model, then names of its tables
#include "mjx/model.hpp"
#include "mjx/parameters.hpp"

using Robot = mjx::WithOwn<mjx::Model<>, "body_mass">;
