// <sensor>: one table says for each tag which sensor it is and which attribute names its object; a few read more than that.
#pragma once

#include "mjx/io/mjcf/custom.hpp"

namespace mjx::inner::mjcf {

namespace detail {

struct SensorTag {
    const char* tag;
    int type;
    const char* attribute;  // names the object
    int objtype;
};
inline constexpr SensorTag sensor_tags[] = {
    {"touch", sens::touch, "site", obj::site},
    {"accelerometer", sens::accelerometer, "site", obj::site},
    {"velocimeter", sens::velocimeter, "site", obj::site},
    {"gyro", sens::gyro, "site", obj::site},
    {"force", sens::force, "site", obj::site},
    {"torque", sens::torque, "site", obj::site},
    {"magnetometer", sens::magnetometer, "site", obj::site},
    {"camprojection", sens::camprojection, "site", obj::site},
    {"rangefinder", sens::rangefinder, "site", obj::site},
    {"jointpos", sens::jointpos, "joint", obj::joint},
    {"jointvel", sens::jointvel, "joint", obj::joint},
    {"jointactuatorfrc", sens::jointactfrc, "joint", obj::joint},
    {"ballquat", sens::ballquat, "joint", obj::joint},
    {"ballangvel", sens::ballangvel, "joint", obj::joint},
    {"jointlimitpos", sens::jointlimitpos, "joint", obj::joint},
    {"jointlimitvel", sens::jointlimitvel, "joint", obj::joint},
    {"jointlimitfrc", sens::jointlimitfrc, "joint", obj::joint},
    {"tendonpos", sens::tendonpos, "tendon", obj::tendon},
    {"tendonvel", sens::tendonvel, "tendon", obj::tendon},
    {"tendonactuatorfrc", sens::tendonactfrc, "tendon", obj::tendon},
    {"tendonlimitpos", sens::tendonlimitpos, "tendon", obj::tendon},
    {"tendonlimitvel", sens::tendonlimitvel, "tendon", obj::tendon},
    {"tendonlimitfrc", sens::tendonlimitfrc, "tendon", obj::tendon},
    {"actuatorpos", sens::actuatorpos, "actuator", obj::actuator},
    {"actuatorvel", sens::actuatorvel, "actuator", obj::actuator},
    {"actuatorfrc", sens::actuatorfrc, "actuator", obj::actuator},
    {"framepos", sens::framepos, "objname", obj::unknown},
    {"framequat", sens::framequat, "objname", obj::unknown},
    {"framexaxis", sens::framexaxis, "objname", obj::unknown},
    {"frameyaxis", sens::frameyaxis, "objname", obj::unknown},
    {"framezaxis", sens::framezaxis, "objname", obj::unknown},
    {"framelinvel", sens::framelinvel, "objname", obj::unknown},
    {"frameangvel", sens::frameangvel, "objname", obj::unknown},
    {"framelinacc", sens::framelinacc, "objname", obj::unknown},
    {"frameangacc", sens::frameangacc, "objname", obj::unknown},
    {"insidesite", sens::insidesite, "objname", obj::unknown},
    {"subtreecom", sens::subtreecom, "body", obj::body},
    {"subtreelinvel", sens::subtreelinvel, "body", obj::body},
    {"subtreeangmom", sens::subtreeangmom, "body", obj::body},
    {"distance", sens::geomdist, "geom1", obj::geom},
    {"normal", sens::geomnormal, "geom1", obj::geom},
    {"fromto", sens::geomfromto, "geom1", obj::geom},
    {"contact", sens::contact, "", obj::unknown},
    {"e_potential", sens::e_potential, "", obj::unknown},
    {"e_kinetic", sens::e_kinetic, "", obj::unknown},
    {"clock", sens::clock, "", obj::unknown},
    {"user", sens::user, "objname", obj::unknown},
};

// Takes the object from the first of the attributes that is present.
struct ObjectAttribute { const char* name; int type; };
template <std::size_t N>
void get_object(const Element& e, const ObjectAttribute (&choices)[N], std::string& name, int& type) {
    for (const ObjectAttribute& choice : choices)
        if (get(e, choice.name, name)) {
            type = choice.type;
            return;
        }
}

inline void get_contact_sensor(const Element& e, SpecSensor& s) {
    get_object(e, {{"site", obj::site}, {"body1", obj::body}, {"subtree1", obj::xbody}, {"geom1", obj::geom}}, s.objname, s.objtype);
    get_object(e, {{"body2", obj::body}, {"subtree2", obj::xbody}, {"geom2", obj::geom}}, s.refname, s.reftype);
    s.intprm = {{1 << condata::found, 0, 1}};
    get_keyword_bits(e, "data", s.intprm[0]);
    get_keyword(e, "reduce", s.intprm[1]);
    get(e, "num", s.intprm[2]);
    if (s.intprm[2] <= 0) e.fail("attribute 'num' is not positive, expected a number of contacts");
}

inline void get_user_sensor(const Element& e, SpecSensor& s) {
    get(e, "dim", s.dim);
    get_keyword(e, "needstage", s.needstage);
    get_keyword(e, "datatype", s.datatype);
    if (e.has("objtype")) s.objtype = object_type(e, "objtype");
}

inline void get_frame_objects(const Element& e, SpecSensor& s) {
    if (e.has("objtype")) s.objtype = object_type(e, "objtype");
    if (e.has("reftype")) s.reftype = object_type(e, "reftype");
    get(e, "refname", s.refname);
}

}  // namespace detail

inline void get_sensor(const Element& e, SpecSensor& s) {
    get(e, "nsample", s.nsample);
    get_keyword(e, "interp", s.interp);
    get(e, "delay", s.delay);
    get(e, "interval", s.interval);
    get(e, "cutoff", s.cutoff);
    get(e, "noise", s.noise);
    get(e, "user", s.user);
    const detail::SensorTag* found = nullptr;
    for (const detail::SensorTag& row : detail::sensor_tags)
        if (e.tag == row.tag) found = &row;
    if (!found) e.fail({"<", e.tag, "> sensors are not supported"});
    s.type = found->type;
    s.objtype = found->objtype;
    get(e, found->attribute, s.objname);
    switch (s.type) {
        case sens::camprojection: detail::get_object(e, {{"camera", obj::camera}}, s.refname, s.reftype); break;
        case sens::insidesite:
            detail::get_object(e, {{"site", obj::site}}, s.refname, s.reftype);
            s.objtype = object_type(e, "objtype");
            break;
        case sens::rangefinder:
            detail::get_object(e, {{"site", obj::site}, {"camera", obj::camera}}, s.objname, s.objtype);
            s.intprm[0] = 1 << raydata::dist;
            get_keyword_bits(e, "data", s.intprm[0]);
            break;
        case sens::geomdist:
        case sens::geomnormal:
        case sens::geomfromto:
            detail::get_object(e, {{"body1", obj::body}, {"geom1", obj::geom}}, s.objname, s.objtype);
            detail::get_object(e, {{"body2", obj::body}, {"geom2", obj::geom}}, s.refname, s.reftype);
            break;
        case sens::contact: detail::get_contact_sensor(e, s); break;
        case sens::user: detail::get_user_sensor(e, s); break;
        default: detail::get_frame_objects(e, s);
    }
}

inline void read_sensors(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        SpecSensor& s = r.spec.sensors.emplace_back();
        r.identify(e, obj::sensor, s);
        get_sensor(e, s);
    }
}

}  // namespace mjx::inner::mjcf
