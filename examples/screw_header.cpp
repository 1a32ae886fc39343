// Writes the model of screw_joint.cpp as a header with models::Lift: a fixed model whose joint is the program's own.
#include "screw_lift.hpp"

#include "mjx/emit.hpp"

#include <fstream>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    std::ofstream out(argv[1]);
    out << mjx::emit_fixed_model(screw_lift(), "Lift", "screw_lift.hpp");
    return out.flush() ? 0 : 1;
}
