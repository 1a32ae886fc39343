// Keyframes of an attached model. Its numbers are cut up by joint, actuator and mocap body (by their tags, which copies carry on) and
// put together again when the whole model is known. What the attached model did not have is NaN in qpos, mpos and mquat, which stands
// for the initial value, and zero elsewhere.
#pragma once

#include "mjx/io/mjcf/reader.hpp"
#include "mjx/model/joints.hpp"

#include <limits>

namespace mjx::inner::mjcf {

// The vectors of a keyframe, with what each of them is cut into.
enum KeyVector { key_qpos, key_qvel, key_act, key_ctrl, key_mpos, key_mquat };
inline constexpr int key_vectors = 6;

[[gnu::cold]] inline List<double>& key_vector(SpecKey& k, int which) {
    List<double>* const vectors[] = {&k.qpos, &k.qvel, &k.act, &k.ctrl, &k.mpos, &k.mquat};
    return *vectors[which];
}

[[gnu::cold]] inline int act_count(const SpecActuator& a) {
    return a.actdim >= 0 ? a.actdim : actuator_states(a.dyntype, a.gaintype, a.dynprm, a.gainprm);
}

inline int ctrl_count(const SpecActuator& a) { return control_count(a.gaintype, actuator_inputs(a.gaintype, a.ctrlspec)); }

template <class F>
[[gnu::cold]] void for_each_body(const SpecBody& b, F&& f) {
    f(b);
    for (const SpecBody& child : b.bodies) for_each_body(child, f);
}

// Calls f(tag, count) for each piece of a vector, in the order of the model.
template <class F>
[[gnu::cold]] void for_each_piece(const Spec& s, int which, F&& f) {
    if (which == key_qpos || which == key_qvel)
        for_each_body(s.world, [&](const SpecBody& b) {
            for (const SpecJoint& j : b.joints) f(j.tag, which == key_qpos ? all_joints::nq(j.type) : all_joints::nv(j.type));
        });
    else if (which == key_mpos || which == key_mquat)
        for_each_body(s.world, [&](const SpecBody& b) {
            if (b.mocap) f(b.tag, which == key_mpos ? 3 : 4);
        });
    else
        for (const SpecActuator& a : s.actuators) f(a.tag, which == key_act ? act_count(a) : ctrl_count(a));
}

// Cuts up the keyframes of a model whose parts have just been copied; r.retagged says which part became which.
[[gnu::cold]] inline void adopt_keys(Reader& r, const Element& e, const Spec& source, const std::string& prefix) {
    for (SpecKey key : source.keys) {
        AdoptedKey& adopted = r.adopted_keys.emplace_back();
        if (!key.name.empty()) adopted.name = prefix + key.name;
        adopted.where = key.where;
        adopted.time = key.time;
        for (int which = 0; which < key_vectors; ++which) {
            const List<double>& values = key_vector(key, which);
            if (values.empty()) continue;
            adopted.has[which] = true;
            std::size_t at = 0;
            for_each_piece(source, which, [&](int tag, int count) {
                const std::size_t end = at + static_cast<std::size_t>(count);
                const auto copy = r.retagged.find(tag);
                if (end <= values.size() && copy != r.retagged.end()) {
                    adopted.pieces[which][copy->second] = static_cast<int>(adopted.values.size());
                    for (std::size_t i = at; i < end; ++i) adopted.values.push_back(values[i]);
                }
                at = end;
            });
            if (at != values.size())
                e.fail({"keyframe '", key.name, "' of the attached model has ", std::to_string(values.size()), " numbers, expected ",
                        std::to_string(at)});
        }
    }
}

// A part that is replicated takes its keyframe values along into the first copy.
[[gnu::cold]] inline void move_keys(Reader& r) {
    for (AdoptedKey& key : r.adopted_keys)
        for (auto& pieces : key.pieces)
            for (const auto& [from, to] : r.retagged)
                if (const auto piece = pieces.find(from); piece != pieces.end()) {
                    pieces[to] = piece->second;
                    pieces.erase(piece);
                }
}

[[gnu::cold]] inline void finish_keys(Reader& r) {
    for (const AdoptedKey& adopted : r.adopted_keys) {
        SpecKey& key = r.spec.keys.emplace_back();
        key.name = adopted.name;
        key.where = adopted.where;
        key.time = adopted.time;
        for (int which = 0; which < key_vectors; ++which) {
            if (!adopted.has[which]) continue;
            const bool zero = which == key_qvel || which == key_act || which == key_ctrl;
            const double missing = zero ? 0.0 : std::numeric_limits<double>::quiet_NaN();
            List<double>& values = key_vector(key, which);
            for_each_piece(r.spec, which, [&](int tag, int count) {
                const auto piece = adopted.pieces[which].find(tag);
                const bool known = piece != adopted.pieces[which].end();
                for (int i = 0; i < count; ++i)
                    values.push_back(known ? adopted.values[static_cast<std::size_t>(piece->second + i)] : missing);
            });
        }
    }
}

}  // namespace mjx::inner::mjcf
