// The list of joints, and sets of them: what stages ask about the joint of a body.
//
//     M::joints::visit(m.jnt_type[j], [&](auto joint) { joint.move(m, d, j, xpos, xquat); });      // calls a function of the joint
//     M::joints::is_scalar(m.jnt_type[j])                                                          // asks for one of its constants
// Sets that lack a joint compile none of its code, and sets of one joint never ask which it is.
#pragma once

#include "mjx/model/joint/ball.hpp"
#include "mjx/model/joint/free.hpp"
#include "mjx/model/joint/hinge.hpp"
#include "mjx/model/joint/planar.hpp"
#include "mjx/model/joint/slide.hpp"

#include <array>

namespace mjx::inner {

// The kind with this number among some, or null.
template <class Kinds>
constexpr const JointKind* find_kind(const Kinds& kinds, int type) {
    for (const JointKind& kind : kinds)
        if (kind.type == type) return &kind;
    return nullptr;
}

// A set of joints in the order of their numbers.
template <class... J>
struct joint_list {
    static constexpr int count = sizeof...(J);
    static constexpr std::array<JointKind, sizeof...(J)> kinds{kind_of<J>...};

    static constexpr bool numbered_apart = [] {
        for (int i = 1; i < count; ++i)
            if (kinds[static_cast<std::size_t>(i - 1)].type >= kinds[static_cast<std::size_t>(i)].type) return false;
        return true;
    }();

    static constexpr bool contains(int type) { return ((type == J::type) || ...); }
    static constexpr const JointKind& kind(int type) { return *find_kind(kinds, type); }

    // f(joint) for the joint of this type.
    template <class F>
    [[gnu::always_inline]] static constexpr void visit(int type, F&& f) {
        if constexpr (count == 1)
            (f(J{}), ...);
        else
            (void)((type == J::type && (f(J{}), true)) || ...);
    }
    // The same for a constant, which compiles f for that joint alone.
    template <int Type, class F>
    [[gnu::always_inline]] static constexpr void visit(std::integral_constant<int, Type>, F&& f) {
        const auto call = [&]<class K>(K joint) __attribute__((always_inline)) {
            if constexpr (K::type == Type) f(joint);
        };
        (call(J{}), ...);
    }

    // Constants of the joint of this type.
    static constexpr int nq(int type) {
        return get(type, [](auto joint) { return joint.nq; });
    }
    static constexpr int nv(int type) {
        return get(type, [](auto joint) { return joint.nv; });
    }
    static constexpr int group(int type) {
        return get(type, [](auto joint) { return joint.group; });
    }
    static constexpr int angle(int type) {
        return get(type, [](auto joint) { return joint.angle; });
    }
    static constexpr int rotation(int type) {
        return get(type, [](auto joint) { return joint.rotation; });
    }
    static constexpr bool is_scalar(int type) {
        return holds(type, [](auto joint) { return joint.scalar; });
    }
    static constexpr bool turns(int type) {
        return holds(type, [](auto joint) { return joint.turns; });
    }
    static constexpr bool floats(int type) {
        return holds(type, [](auto joint) { return joint.floats; });
    }
    static constexpr bool axis_after(int type) {
        return holds(type, [](auto joint) { return joint.axis_after; });
    }
    static constexpr bool decoupled(int type) {
        return holds(type, [](auto joint) { return joint.decoupled; });
    }
    static constexpr bool analytic(int type) {
        return holds(type, [](auto joint) { return joint.analytic; });
    }
    // Whether it is a rotation and nothing else, as a ball.
    static constexpr bool is_rotation(int type) {
        return holds(type, [](auto joint) { return joint.rotation == 0; });
    }
    // Whether dof k of the joint is one of three rotations about axes that are fixed in the body.
    static constexpr bool turns_with_body(int type, int k) {
        const int first = rotation(type);
        return first >= 0 && k >= first;
    }

  private:
    // Written so that what all joints of the set agree on is a constant.
    template <class P>
    [[gnu::always_inline]] static constexpr bool holds(int type, P property) {
        if ((property(J{}) && ...)) return true;
        return ((property(J{}) && type == J::type) || ...);
    }
    template <class P>
    [[gnu::always_inline]] static constexpr int get(int type, P property) {
        const int values[] = {property(J{})..., 0};
        if (((property(J{}) == values[0]) && ...)) return values[0];
        int value = 0;
        (void)((type == J::type && (value = property(J{}), true)) || ...);
        return value;
    }
};
using all_joints = joint_list<Free, Ball, Slide, Hinge, Planar>;

}  // namespace mjx::inner
