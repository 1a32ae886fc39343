// The sections that hold for the whole model: compiler, option, size, statistic. Several sections of one kind add up, the later
// one winning attribute by attribute.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

inline void read_lengthrange(const Element& e, SpecCompiler& c) {
    get_keyword(e, "mode", c.lr_mode);
    get(e, "useexisting", c.lr_useexisting);
    get(e, "uselimit", c.lr_uselimit);
    get(e, "accel", c.lr_accel);
    get(e, "maxforce", c.lr_maxforce);
    get(e, "timeconst", c.lr_timeconst);
    get(e, "timestep", c.lr_timestep);
    get(e, "inttotal", c.lr_inttotal);
    get(e, "interval", c.lr_interval);
    get(e, "tolrange", c.lr_tolrange);
}

inline void read_compiler(Reader& r, const Element& e) {
    SpecCompiler& c = r.spec.compiler;
    if (e.text("coordinate") == "global") e.fail("attribute 'coordinate': global coordinates are not supported, expected 'local'");
    get(e, "strippath", r.files.strippath);
    get(e, "assetdir", r.files.meshdir);
    get(e, "meshdir", r.files.meshdir);
    int degree = r.angles.degree;
    get_keyword(e, "angle", degree);
    r.angles.degree = degree == 1;
    if (get(e, "eulerseq", r.angles.eulerseq) &&
        (r.angles.eulerseq.size() != 3 || r.angles.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos))
        e.fail({"attribute 'eulerseq' is '", r.angles.eulerseq, "', expected three letters of xyzXYZ"});
    get(e, "autolimits", c.autolimits);
    get(e, "boundmass", c.boundmass);
    get(e, "boundinertia", c.boundinertia);
    get(e, "settotalmass", c.settotalmass);
    get(e, "balanceinertia", c.balanceinertia);
    get(e, "fitaabb", c.fitaabb);
    get(e, "discardvisual", c.discardvisual);
    get(e, "fusestatic", c.fusestatic);
    get(e, "inertiafromgeom", c.inertiafromgeom);
    get(e, "inertiagrouprange", c.inertiagrouprange);
    get(e, "alignfree", c.alignfree);
    get_keyword(e, "conflict", r.conflict);
    bool exact = false;  // how older files ask for <mesh inertia="exact">
    if (get(e, "exactmeshinertia", exact)) r.main.mesh.inertia = exact ? mesh_inertia::exact : mesh_inertia::legacy;
    for (const Element& child : e.children) read_lengthrange(child, c);
}

// Bits of <flag>: a disable flag is set by "disable", an enable flag by "enable".
inline void read_flags(const Element& e, Option<double>& o, WrittenOptions& written) {
    struct Flag { const char* name; int bit; };
    static constexpr Flag disabling[] = {
        {"constraint", disable::constraint}, {"equality", disable::equality},         {"frictionloss", disable::frictionloss},
        {"limit", disable::limit},           {"contact", disable::contact},           {"spring", disable::spring},
        {"damper", disable::damper},         {"gravity", disable::gravity},           {"clampctrl", disable::clampctrl},
        {"warmstart", disable::warmstart},   {"filterparent", disable::filterparent}, {"actuation", disable::actuation},
        {"refsafe", disable::refsafe},       {"sensor", disable::sensor},             {"midphase", disable::midphase},
        {"eulerdamp", disable::eulerdamp},   {"autoreset", disable::autoreset},       {"nativeccd", disable::nativeccd},
        {"island", disable::island},         {"multiccd", disable::multiccd}};
    static constexpr Flag enabling[] = {
        {"override", enable::override_contact}, {"energy", enable::energy}, {"fwdinv", enable::fwdinv},
        {"invdiscrete", enable::invdiscrete},   {"sleep", enable::sleep},   {"diagexact", enable::diagexact}};
    const auto set = [&](const Flag& flag, int keyword, int& flags, int& written_flags) {
        int place = 0;
        if (!get_keyword(e, flag.name, place)) return;
        written_flags |= flag.bit;
        flags = place == keyword ? flags | flag.bit : flags & ~flag.bit;
    };
    for (const Flag& flag : disabling) set(flag, 0, o.disableflags, written.disableflags);
    for (const Flag& flag : enabling) set(flag, 1, o.enableflags, written.enableflags);
}

inline void read_option(Reader& r, const Element& e) {
    Option<double>& o = r.spec.option;
    for (const auto& attribute : e.attributes) r.written.options.insert(attribute.first);
    get(e, "timestep", o.timestep);
    get(e, "impratio", o.impratio);
    get(e, "tolerance", o.tolerance);
    get(e, "ls_tolerance", o.ls_tolerance);
    get(e, "noslip_tolerance", o.noslip_tolerance);
    get(e, "ccd_tolerance", o.ccd_tolerance);
    get(e, "sleep_tolerance", o.sleep_tolerance);
    get(e, "gravity", o.gravity);
    get(e, "wind", o.wind);
    get(e, "magnetic", o.magnetic);
    get(e, "density", o.density);
    get(e, "viscosity", o.viscosity);
    get(e, "o_margin", o.o_margin);
    get(e, "o_solref", o.o_solref);
    get(e, "o_solimp", o.o_solimp);
    get(e, "o_friction", o.o_friction);
    get_keyword(e, "integrator", o.integrator);
    get_keyword(e, "cone", o.cone);
    get_keyword(e, "jacobian", o.jacobian);
    get_keyword(e, "solver", o.solver);
    get(e, "iterations", o.iterations);
    get(e, "ls_iterations", o.ls_iterations);
    get(e, "noslip_iterations", o.noslip_iterations);
    get(e, "ccd_iterations", o.ccd_iterations);
    get(e, "sdf_iterations", o.sdf_iterations);
    get(e, "sdf_initpoints", o.sdf_initpoints);
    std::vector<int> groups;
    get(e, "actuatorgroupdisable", groups);
    for (const int group : groups) {
        if (group < 0 || group > 30)
            e.fail({"attribute 'actuatorgroupdisable' names group ", std::to_string(group), ", expected 0 to 30"});
        o.disableactuator |= 1 << group;
    }
    for (const Element& child : e.children) read_flags(child, o, r.written);
}

// A byte count with an optional suffix such as 10M; mjx sizes its memory itself and only checks the form.
inline void check_memory(const Element& e) {
    const std::string written = e.text("memory");
    const std::vector<std::string_view> words = split_words(written);
    std::string text(words.size() == 1 ? words.front() : std::string_view());
    if (!e.has("memory") || text == "-1") return;
    if (!text.empty() && std::string_view("KMGTPEkmgtpe").find(text.back()) != std::string_view::npos) text.pop_back();
    const auto bytes = parse_number<long long>(text);
    if (!bytes || *bytes < 1)
        e.fail({"attribute 'memory' is '", written, "', expected bytes with an optional suffix K M G T P E"});
}

inline void read_size(Reader& r, const Element& e) {
    check_memory(e);
    get(e, "nuserdata", r.spec.nuserdata);
    get(e, "njmax", r.spec.njmax);
    get(e, "nconmax", r.spec.nconmax);
    get(e, "nkey", r.spec.nkey);
    if (r.spec.nuserdata < 0) e.fail("attribute 'nuserdata' is negative, expected zero or more");
    for (const auto& [name, value] : e.attributes)
        if (name != "memory" && parse_number<int>(split_words(value).front()) < -1)
            e.fail({"attribute '", name, "' is ", value, ", expected -1 or more"});
}

inline void read_statistic(Reader& r, const Element& e) {
    SpecStatistic& s = r.spec.statistic;
    get(e, "meaninertia", s.meaninertia);
    get(e, "meanmass", s.meanmass);
    get(e, "meansize", s.meansize);
    get(e, "extent", s.extent);
    get(e, "center", s.center);
    if (s.extent && *s.extent <= 0) e.fail("attribute 'extent' is not positive, expected a length");
}

// Pictures are not read; what MuJoCo refuses in them is refused.
inline void check_visual(Reader&, const Element& section) {
    for (const Element& e : section.children)
        if (double znear = 1; e.tag == "map" && get(e, "znear", znear) && znear <= 0)
            e.fail("attribute 'znear' is not positive, expected a length");
}

}  // namespace mjx::inner::mjcf
