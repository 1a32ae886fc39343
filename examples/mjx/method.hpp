// The step, forward and inverse dynamics by whatever integrator and solver a model asks for. Those of one scalar are compiled in one file
// each, method_*.cpp.
#pragma once

#include "mjx/data.hpp"
#include "mjx/model.hpp"

namespace command {

template <class M>
struct Method {
    using Data = mjx::Data<typename M::real, M>;
    void (*step)(const M&, Data&) = nullptr;
    void (*forward)(const M&, Data&) = nullptr;
    void (*inverse)(const M&, Data&) = nullptr;
};

Method<mjx::Model<double>> find_method(const mjx::Model<double>& model);
Method<mjx::Model<float>> find_method(const mjx::Model<float>& model);

}  // namespace command
