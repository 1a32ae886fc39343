// mjx info: what is in a model.
#include "command.hpp"

#include "mjx/data.hpp"
#include "mjx/model.hpp"
#include "mjx/scalars.hpp"

#include <cstdio>

namespace command {

namespace {

std::string named(const std::string& name, int id) { return name.empty() ? "#" + std::to_string(id) : name; }

void print_body(const mjx::Model<double>& m, int b, int depth) {
    std::printf("  %*s%s", 2 * depth, "", named(m.body_name[b], b).c_str());
    if (b > 0) std::printf("  %.4g kg", m.body_mass[b]);
    for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j)
        std::printf("  %s %s", mjx::Model<double>::joints::kind(m.jnt_type[j]).name, named(m.jnt_name[j], j).c_str());
    if (m.body_geomnum[b] > 0) std::printf("  %d geom%s", m.body_geomnum[b], m.body_geomnum[b] == 1 ? "" : "s");
    std::printf("\n");
}

// Parents come before children and siblings in order, so one pass with the depth of each parent prints the tree.
void print_tree(const mjx::Model<double>& m) {
    std::vector<int> depth(static_cast<std::size_t>(m.nbody), 0);
    for (int b = 0; b < m.nbody; ++b) {
        const auto here = static_cast<std::size_t>(b);
        if (b > 0) depth[here] = depth[static_cast<std::size_t>(m.body_parentid[b])] + 1;
        print_body(m, b, depth[here]);
    }
}

// What Data takes with the scalar S, for the loaded model and for a fixed one alike.
template <class S>
std::size_t data_bytes(const mjx::Model<double>& m) {
    const auto model = mjx::cast<mjx::value_t<S>>(m);
    const mjx::Data<S, std::remove_cv_t<decltype(model)>> d(model);
    std::size_t bytes = 0;
    mjx::for_each_field(
        [&](const char*, mjx::Section, const auto& x) {
            if constexpr (requires { x.size(); })
                bytes += static_cast<std::size_t>(x.size()) * sizeof(x[0]);
            else
                bytes += sizeof x;
        },
        d);
    return bytes;
}

}  // namespace

int info(const Options& o) {
    const auto m = load(o);
    std::printf("model        %s\n", m.name.empty() ? "(unnamed)" : m.name.c_str());
    std::printf("sizes       ");
    mjx::for_each_size(
        [&](const char* name, int n) {
            if (n != 0) std::printf(" %s %d", name, n);
        },
        m);
    std::printf("\n");
    std::printf("options      timestep %g, integrator %s, solver %s, cone %s, iterations %d, tolerance %g\n", m.opt.timestep,
                mjx::integrator_names[m.opt.integrator], mjx::solver_names[m.opt.solver], mjx::cone_names[m.opt.cone], m.opt.iterations,
                m.opt.tolerance);
    std::printf("gravity      %g %g %g\n", m.opt.gravity[0], m.opt.gravity[1], m.opt.gravity[2]);
    std::printf("mass         %g kg, mean inertia %g, extent %g m\n", m.body_subtreemass[0], m.stat.meaninertia, m.stat.extent);
    std::printf("data         %zu bytes in double, %zu in float, %zu in pack<float> for %d environments\n", data_bytes<double>(m),
                data_bytes<float>(m), data_bytes<mjx::pack<float>>(m), mjx::lanes_v<mjx::pack<float>>);
    std::printf("bodies\n");
    print_tree(m);
    return 0;
}

}  // namespace command
