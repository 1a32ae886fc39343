// mjx convert: a model as MJCF, to see what a URDF became.
#include "command.hpp"

#include "mjx/save.hpp"

#include <cstdio>

namespace command {

int convert(const Options& o) {
    const mjx::Spec spec = mjx::parse_file(o.model, o.urdf);
    const mjx::Model<double> m = mjx::compile(spec);  // what is not a model is not written
    mjx::save_mjcf(spec, o.second);
    std::printf("%s: %d bodies, %d joints, %d geoms, %d actuators\n", o.second.c_str(), m.nbody, m.njnt, m.ngeom, m.nu);
    return 0;
}

}  // namespace command
