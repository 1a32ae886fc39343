// Physics options and model statistics, as in MuJoCo's mjOption and mjStatistic.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class Real>
struct Option {
    Real timestep = Real(0.002);
    Real impratio = Real(1);
    Real tolerance = Real(1e-8);
    Real ls_tolerance = Real(0.01);
    Real noslip_tolerance = Real(1e-6);
    Real ccd_tolerance = Real(1e-6);
    Real sleep_tolerance = Real(1e-3);
    Real warm_start_factor = Real(1);  // of contact forces that a solver remembers from the step before: CachedPGS, Penalty; not MuJoCo's
    Vec3<Real> gravity{{Real(0), Real(0), Real(-9.81)}};
    Vec3<Real> wind{{Real(0), Real(0), Real(0)}};
    Vec3<Real> magnetic{{Real(0), Real(-0.5), Real(0)}};
    Real density = Real(0);
    Real viscosity = Real(0);
    Real o_margin = Real(0);
    Vec<Real, nref> o_solref{{Real(0.02), Real(1)}};
    Vec<Real, nimp> o_solimp{{Real(0.9), Real(0.95), Real(0.001), Real(0.5), Real(2)}};
    Vec<Real, 5> o_friction{{Real(1), Real(1), Real(0.005), Real(0.0001), Real(0.0001)}};
    int integrator = integrator_type::euler;
    int cone = cone::pyramidal;
    int jacobian = jacobian_type::automatic;
    int solver = solver_type::newton;
    int iterations = 100;
    int ls_iterations = 50;
    int noslip_iterations = 0;
    int ccd_iterations = 35;
    int disableflags = 0;
    int enableflags = 0;
    int disableactuator = 0;
    int sdf_initpoints = 40;
    int sdf_iterations = 10;
    int mujoco = 314;  // the version whose answers are wanted: 312, 313 or 314 (tests/conformance/README.md says where they differ)
    int chosen = 0;  // bits of choice::. Not one of the options below: it belongs to how the model was made (overrides.hpp)

    constexpr bool disabled(int flag) const { return (disableflags & flag) != 0; }
    constexpr bool enabled(int flag) const { return (enableflags & flag) != 0; }
};

// The one list of options: casts, the fixed-model writer and `mjx info` read it.
template <class F, class... O>
constexpr void for_each_option(F&& f, O&&... o) {
    f("timestep", o.timestep...);
    f("impratio", o.impratio...);
    f("tolerance", o.tolerance...);
    f("ls_tolerance", o.ls_tolerance...);
    f("noslip_tolerance", o.noslip_tolerance...);
    f("ccd_tolerance", o.ccd_tolerance...);
    f("sleep_tolerance", o.sleep_tolerance...);
    f("warm_start_factor", o.warm_start_factor...);
    f("gravity", o.gravity...);
    f("wind", o.wind...);
    f("magnetic", o.magnetic...);
    f("density", o.density...);
    f("viscosity", o.viscosity...);
    f("o_margin", o.o_margin...);
    f("o_solref", o.o_solref...);
    f("o_solimp", o.o_solimp...);
    f("o_friction", o.o_friction...);
    f("integrator", o.integrator...);
    f("cone", o.cone...);
    f("jacobian", o.jacobian...);
    f("solver", o.solver...);
    f("iterations", o.iterations...);
    f("ls_iterations", o.ls_iterations...);
    f("noslip_iterations", o.noslip_iterations...);
    f("ccd_iterations", o.ccd_iterations...);
    f("disableflags", o.disableflags...);
    f("enableflags", o.enableflags...);
    f("disableactuator", o.disableactuator...);
    f("sdf_initpoints", o.sdf_initpoints...);
    f("sdf_iterations", o.sdf_iterations...);
    f("mujoco", o.mujoco...);
}

// Statistics at qpos0.
template <class Real>
struct Statistic {
    Real meaninertia = Real(1);
    Real meanmass = Real(1);
    Real meansize = Real(0.2);
    Real extent = Real(2);
    Vec3<Real> center{{Real(0), Real(0), Real(0)}};
};

template <class F, class... O>
constexpr void for_each_statistic(F&& f, O&&... o) {
    f("meaninertia", o.meaninertia...);
    f("meanmass", o.meanmass...);
    f("meansize", o.meansize...);
    f("extent", o.extent...);
    f("center", o.center...);
}

}  // namespace mjx::inner
