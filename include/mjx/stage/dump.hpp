// Dumps: every field of a state as text, one per line: `name count v1 v2 ...`, 17 significant digits.
//
// The format is shared by the `mjx dump` command, the state files it reads and the conformance tests.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/data/walk.hpp"
#include "mjx/io/numbers.hpp"
#include "mjx/model/spec.hpp"
#include "mjx/stage/energy.hpp"
#include "mjx/stage/post.hpp"

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mjx::inner {

using Dump = std::vector<std::pair<std::string, std::vector<double>>>;

// The numbers of a field, in order; derivatives are left out and of a pack lane 0 is taken.
template <class Field>
std::vector<double> flat(const Field& field) {
    std::vector<double> out;
    for_each_number(
        [&](const auto& x) {
            if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(x)>>)
                out.push_back(static_cast<double>(x));
            else
                out.push_back(static_cast<double>(lane(value_of(x), 0)));
        },
        field);
    return out;
}

template <class M, class D>
std::vector<double> dense_inertia(const M& m, const D& d) {
    const auto n = static_cast<std::size_t>(m.nv);
    std::vector<double> out(n * n, 0.0);
    for (int i = 0; i < m.nv; ++i)
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
            const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(m.M_colind[k]);
            out[row * n + column] = out[column * n + row] = static_cast<double>(lane(value_of(d.M[k]), 0));
        }
    return out;
}

template <class D>
std::vector<double> flat_contacts(const D& d) {
    std::vector<double> out;
    const auto add = [&](const auto& x) { out.push_back(static_cast<double>(lane(value_of(x), 0))); };
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        out.insert(out.end(), {double(contact.geom1), double(contact.geom2), double(contact.dim)});
        add(contact.dist);
        for (int k = 0; k < 3; ++k) add(contact.pos[k]);
        for (int k = 0; k < 3; ++k) add(contact.frame[k]);
        for (int k = 0; k < 5; ++k) add(contact.friction[k]);
    }
    return out;
}

template <class M>
Dump dump_model(const M& m) {
    return {
        {"sizes",
         {double(m.nq), double(m.nv), double(m.nu), double(m.na), double(m.nbody), double(m.njnt), double(m.ngeom), double(m.nsite),
          double(m.ntendon), double(m.neq), double(m.nsensordata), double(m.nmocap)}},
        {"body_mass", flat(m.body_mass)},
        {"body_inertia", flat(m.body_inertia)},
        {"body_ipos", flat(m.body_ipos)},
        {"body_invweight0", flat(m.body_invweight0)},
        {"dof_invweight0", flat(m.dof_invweight0)},
        {"actuator_acc0", flat(m.actuator_acc0)},
        {"actuator_lengthrange", flat(m.actuator_lengthrange)},
        {"tendon_invweight0", flat(m.tendon_invweight0)},
        {"tendon_length0", flat(m.tendon_length0)},
    };
}

// The fields of Data a dump shows, in order.
// clang-format off
inline constexpr const char* dump_fields[] = {
    "time", "qpos", "qvel", "act", "ctrl", "xpos", "xquat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat",
    "site_xpos", "site_xmat", "subtree_com", "cinert", "cdof", "ten_length", "ten_velocity", "actuator_length",
    "actuator_velocity", "M", "cvel", "qfrc_bias", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_passive",
    "act_dot", "actuator_force", "qfrc_actuator", "qfrc_smooth", "qacc_smooth", "ncon", "contact", "nefc", "efc_type", "efc_pos",
    "efc_vel", "efc_aref", "efc_D", "efc_diagA", "efc_force", "qfrc_constraint", "qacc", "cacc", "cfrc_int", "cfrc_ext", "subtree_linvel",
    "subtree_angmom", "energy", "sensordata", "qfrc_inverse"};
// clang-format on

// After a forward pass. What no stage computes unasked (body accelerations, momenta, energy) is computed here.
template <class M, class D>
Dump dump_data(const M& m, D& d) {
    rne_post_constraint(m, d);
    subtree_vel(m, d);
    energy_pos(m, d);
    energy_vel(m, d);
    Dump out;
    for (const std::string_view wanted : dump_fields) {
        auto& [name, values] = out.emplace_back(wanted, std::vector<double>{});
        if (wanted == "M")
            values = dense_inertia(m, d);
        else if (wanted == "contact")
            values = flat_contacts(d);
        else if (wanted == "nefc")
            values = {double(d.ne), double(d.nf), double(d.nl), double(d.nefc)};
        else
            for_each_field(
                [&, &numbers = values](const char* field, Section, const auto& x) {
                    using T = std::remove_cv_t<item_t<decltype(x)>>;
                    if constexpr (has_components<T> || std::is_integral_v<T> || scalar<T>) {
                        if (wanted != field) return;
                        auto&& items = as_field(x);
                        numbers = flat(Span<const T>{items.data(), wanted.starts_with("efc_") ? d.nefc : items.size()});
                    }
                },
                d);
    }
    return out;
}

inline std::string to_text(const Dump& dump) {
    std::string text;
    char number[40];
    for (const auto& [name, values] : dump) {
        text += name + ' ' + std::to_string(values.size());
        for (const double v : values) {
            std::snprintf(number, sizeof number, " %.17g", v);
            text += number;
        }
        text += '\n';
    }
    return text;
}

// Reads a dump or a state file; trouble is a model_error naming the file and line.
inline Dump read_dump(const std::string& path) {
    std::ifstream file(path);
    if (!file || file.peek() == std::ifstream::traits_type::eof())
        throw model_error(path + ": cannot be read or is empty, expected lines `name count v1 v2 ...`");
    Dump out;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::vector<std::string_view> words = split_words(line);
        if (words.empty()) continue;
        const auto fail = [&](const std::string& what) { throw model_error(path + ": line " + std::to_string(number) + ": " + what); };
        if (words.size() < 2) fail("expected `name count v1 v2 ...`");
        if (words[1] != std::to_string(words.size() - 2))
            fail("says " + std::string(words[1]) + " values and has " + std::to_string(words.size() - 2));
        std::vector<double> values;
        for (std::size_t i = 2; i < words.size(); ++i) {
            const auto v = parse_number<double>(words[i]);
            if (!v) fail("'" + std::string(words[i]) + "' is not a number");
            values.push_back(*v);
        }
        out.emplace_back(words[0], std::move(values));
    }
    return out;
}

// Sets the state fields a file names; the others keep their values.
template <class M, class D>
void apply_state(const M&, D& d, const Dump& state, const std::string& where) {
    using S = typename D::scalar;
    for (const auto& entry : state) {
        const auto& name = entry.first;  // clang 14 does not let a lambda see structured bindings
        const auto& values = entry.second;
        bool known = false;
        for_each_state_field(
            [&](const char* field, Section, auto& x) {
                if (name != field) return;
                known = true;
                const auto expected = static_cast<std::size_t>(number_count(x));
                if (expected != values.size())
                    throw model_error(where + ": " + name + " has " + std::to_string(values.size()) + " values, the model has " +
                                      std::to_string(expected));
                std::size_t next = 0;
                for_each_number(
                    [&](auto& c) {
                        if constexpr (is_switch_v<decltype(c)>)
                            c = static_cast<int>(values[next++]);
                        else
                            c = S(static_cast<value_t<S>>(values[next++]));
                    },
                    x);
            },
            d);
        if (!known) throw model_error(where + ": '" + name + "' is not a field of the state");
    }
}

}  // namespace mjx::inner
