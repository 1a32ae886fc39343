// Model<Real, Joints>: everything that stays during simulation, under MuJoCo's names, and the words its tables use.
//
//     mjx::Model model = mjx::load_mjcf("humanoid.xml");           // load.hpp; or compile(spec), spec.hpp
//     const int knee = model.joint("right_knee");
//     model.dof_damping[model.jnt_dofadr[knee]] = 2;
//     mjx::Model<float> single = mjx::cast<float>(model);          // or dual, pack: parameters with derivatives, or one per lane
// The joints it may have are its second parameter: joints.hpp.
#pragma once

#include "mjx/math.hpp"
#include "mjx/model/actuator_kinds.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/model/equality_kinds.hpp"
#include "mjx/model/model.hpp"
#include "mjx/model/sensor_kinds.hpp"
#include "mjx/model/transmission_kinds.hpp"

namespace mjx {

using inner::cast;
using inner::cone_names;
using inner::for_each_size;
using inner::for_each_table;
using inner::integrator_names;
using inner::Model;
using inner::solver_names;

namespace bias = inner::bias;
namespace camlight = inner::camlight;
namespace cnstr = inner::cnstr;
namespace condata = inner::condata;
namespace cone = inner::cone;
namespace ctrl_chart = inner::ctrl_chart;
namespace ctrl_input = inner::ctrl_input;
namespace datatype = inner::datatype;
namespace disable = inner::disable;
namespace dyn = inner::dyn;
namespace enable = inner::enable;
namespace eq = inner::eq;
namespace gain = inner::gain;
namespace integrator_type = inner::integrator_type;
namespace jacobian_type = inner::jacobian_type;
namespace jnt = inner::jnt;
namespace needs = inner::needs;
namespace obj = inner::obj;
namespace raydata = inner::raydata;
namespace sens = inner::sens;
namespace shape = inner::shape;
namespace sleep_policy = inner::sleep_policy;
namespace solver_type = inner::solver_type;
namespace trn = inner::trn;
namespace wrap = inner::wrap;

}  // namespace mjx
