// The kinds of transmissions of actuators: their numbers (MuJoCo's), their words in MJCF, what they act on. How each works, its length
// and its moment, is one function in stage/transmission.hpp; which dofs that moment has is said in compile/actuators.hpp.
//
// A new kind is a number, a row here and that function; rows stand in the order of the numbers.
#pragma once

#include "mjx/model/types.hpp"

namespace mjx::inner {

// clang-format off
namespace trn { enum : int { joint, jointinparent, slidercrank, tendon, site, body, so3, undefined = 1000 }; }
// clang-format on

struct TransmissionKind {
    const char* word;    // the attribute that names its target in MJCF; none for so3, which an orientation servo makes of joint and site
    int type;            // trn::
    int target;          // obj::, what trnid[0] is
    bool lends = false;  // the target takes damping and armature from the actuator
};

inline constexpr TransmissionKind transmission_kinds[] = {
    {"joint", trn::joint, obj::joint, true},
    {"jointinparent", trn::jointinparent, obj::joint, true},
    {"cranksite", trn::slidercrank, obj::site},
    {"tendon", trn::tendon, obj::tendon, true},
    {"site", trn::site, obj::site},
    {"body", trn::body, obj::body},
    {"", trn::so3, obj::site},
};
inline constexpr int ntransmission_kinds = sizeof(transmission_kinds) / sizeof(TransmissionKind);
static_assert(in_order(transmission_kinds), "rows stand in the order of the numbers");

// The row of a type; null if there is none.
constexpr const TransmissionKind* find_transmission(int type) {
    return type >= 0 && type < ntransmission_kinds ? &transmission_kinds[type] : nullptr;
}

// What stages ask. (They do without the table, whose words have no place in a kernel.) Whether the actuator's force is along a joint or a
// tendon, which then takes its damping and armature, too.
constexpr bool drives_joint(int type) { return type == trn::joint || type == trn::jointinparent; }
constexpr bool drives_tendon(int type) { return type == trn::tendon; }
// Whether its gear is in the frame of the joint's parent, which turns against the joint's axes.
constexpr bool gears_in_parent(int type) { return type == trn::jointinparent; }
// Whether it pushes one site. A second one is that which it looks from (refsite): it does not act there.
constexpr bool drives_site(int type) { return type == trn::site; }
// Whether its moment is made of contacts.
constexpr bool drives_contacts(int type) { return type == trn::body; }
template <class M>
constexpr bool actuator_drives(const M& m, int i, int kind, int id) {
    const int type = m.actuator_trntype[i];
    return (kind == obj::tendon ? drives_tendon(type) : drives_joint(type)) && m.actuator_trnid[i][0] == id;
}
// The body that the actuator acts on, unless that is a tendon. An orientation servo without a second site is on a ball joint.
template <class M>
constexpr int transmission_body(const M& m, int i) {
    const int type = m.actuator_trntype[i], id = m.actuator_trnid[i][0];
    if (type == trn::body) return id;
    const bool joint = drives_joint(type) || (type == trn::so3 && m.actuator_trnid[i][1] < 0);
    return joint ? m.jnt_bodyid[id] : m.site_bodyid[id];
}

}  // namespace mjx::inner
