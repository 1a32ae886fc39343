// The sections that hold for the whole model: compiler, option, size, statistic. Several sections of one kind add up, the later
// one winning attribute by attribute.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline void read_compiler(Reader& r, const Element& e) {
    SpecCompiler& c = r.spec.compiler;
    if (e.text("coordinate") == "global") e.fail("attribute 'coordinate': global coordinates are not supported, expected 'local'");
    get(e, "strippath", r.files.strippath);
    get(e, "assetdir", r.files.meshdir);
    get(e, "assetdir", r.files.texturedir);
    get(e, "meshdir", r.files.meshdir);
    get(e, "texturedir", r.files.texturedir);
    int degree = r.angles.degree;
    get(e, "angle", degree);
    r.angles.degree = degree == 1;
    if (get(e, "eulerseq", r.angles.eulerseq) &&
        (r.angles.eulerseq.size() != 3 || r.angles.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos))
        e.fail({"attribute 'eulerseq' is '", r.angles.eulerseq, "', expected three letters of xyzXYZ"});
    read_attributes(e, compiler_attributes, c);
    get(e, "conflict", r.conflict);
    bool exact = false;  // how older files ask for <mesh inertia="exact">
    if (get(e, "exactmeshinertia", exact)) r.main.mesh.inertia = exact ? mesh_inertia::exact : mesh_inertia::legacy;
    for (const Element& child : e.children) read_attributes(child, lengthrange_attributes, c);
}

// Bits of <flag>: a disable flag is set by "disable", an enable flag by "enable".
struct Flag {
    const char* name;
    int bit;
};
inline constexpr Flag disabling_flags[] = {{"constraint", disable::constraint},
                                           {"equality", disable::equality},
                                           {"frictionloss", disable::frictionloss},
                                           {"limit", disable::limit},
                                           {"contact", disable::contact},
                                           {"spring", disable::spring},
                                           {"damper", disable::damper},
                                           {"gravity", disable::gravity},
                                           {"clampctrl", disable::clampctrl},
                                           {"warmstart", disable::warmstart},
                                           {"filterparent", disable::filterparent},
                                           {"actuation", disable::actuation},
                                           {"refsafe", disable::refsafe},
                                           {"sensor", disable::sensor},
                                           {"midphase", disable::midphase},
                                           {"eulerdamp", disable::eulerdamp},
                                           {"autoreset", disable::autoreset},
                                           {"nativeccd", disable::nativeccd},
                                           {"island", disable::island},
                                           {"multiccd", disable::multiccd}};
inline constexpr Flag enabling_flags[] = {
    {"override", enable::override_contact}, {"energy", enable::energy}, {"fwdinv", enable::fwdinv},
    {"invdiscrete", enable::invdiscrete},   {"sleep", enable::sleep},   {"diagexact", enable::diagexact}};

[[gnu::cold]] inline void read_flags(const Element& e, Option<double>& o, WrittenOptions& written) {
    const auto set = [&](const Flag& flag, int keyword, int& flags, int& written_flags) {
        int place = 0;
        if (!get(e, flag.name, place)) return;
        written_flags |= flag.bit;
        flags = place == keyword ? flags | flag.bit : flags & ~flag.bit;
    };
    for (const Flag& flag : disabling_flags) set(flag, 0, o.disableflags, written.disableflags);
    for (const Flag& flag : enabling_flags) set(flag, 1, o.enableflags, written.enableflags);
}

[[gnu::cold]] inline void read_option(Reader& r, const Element& e) {
    Option<double>& o = r.spec.option;
    for (const auto& attribute : e.attributes) r.written.options.add(attribute.first);
    read_attributes(e, option_attributes, o);
    if (e.has("integrator")) o.chosen |= choice::integrator;
    if (e.has("solver")) o.chosen |= choice::solver;
    if (e.has("cone")) o.chosen |= choice::cone;
    List<int> groups;
    get(e, "actuatorgroupdisable", groups);
    for (const int group : groups) {
        if (group < 0 || group > 30) e.fail({"attribute 'actuatorgroupdisable' names group ", std::to_string(group), ", expected 0 to 30"});
        o.disableactuator |= 1 << group;
    }
    for (const Element& child : e.children) read_flags(child, o, r.written);
}

// A byte count with an optional suffix such as 10M; mjx sizes its memory itself and only checks the form.
[[gnu::cold]] inline void check_memory(const Element& e) {
    const std::string written = e.text("memory");
    const List<std::string_view> words = split_words(written);
    std::string text(words.size() == 1 ? words.front() : std::string_view());
    if (!e.has("memory") || text == "-1") return;
    if (!text.empty() && std::string_view("KMGTPEkmgtpe").find(text.back()) != std::string_view::npos) text.pop_back();
    const auto bytes = parse_number<long long>(text);
    if (!bytes || *bytes < 1) e.fail({"attribute 'memory' is '", written, "', expected bytes with an optional suffix K M G T P E"});
}

[[gnu::cold]] inline void read_size(Reader& r, const Element& e) {
    check_memory(e);
    read_attributes(e, size_attributes, r.spec);
    if (r.spec.nuserdata < 0) e.fail("attribute 'nuserdata' is negative, expected zero or more");
    for (const auto& [name, value] : e.attributes)
        if (name != "memory" && parse_number<int>(split_words(value).front()) < -1)
            e.fail({"attribute '", name, "' is ", value, ", expected -1 or more"});
    const auto check = [&](int n, const char* name) {
        if (n > 0 && static_cast<std::size_t>(n) > r.spec.budget.numbers)
            e.fail({"attribute '", name, "' is ", over_budget(r.spec.budget.numbers, "numbers")});
    };
    check(r.spec.nuserdata, "nuserdata");
    check(r.spec.nkey, "nkey");
}

[[gnu::cold]] inline void read_statistic(Reader& r, const Element& e) {
    SpecStatistic& s = r.spec.statistic;
    read_attributes(e, statistic_attributes, s);
    if (s.extent && *s.extent <= 0) e.fail("attribute 'extent' is not positive, expected a length");
}

// What viewers need is kept; what MuJoCo refuses is refused.
[[gnu::cold]] inline void read_visual(Reader& r, const Element& section) {
    ViewLook& view = r.spec.view;
    for (const Element& e : section.children) {
        if (e.tag == "headlight") {
            int active = view.headlight;
            get(e, "active", active);
            view.headlight = active != 0;
            read_attributes(e, headlight_attributes, view);
        }
        if (e.tag == "global") read_attributes(e, global_attributes, view);
        if (double znear = 1; e.tag == "map" && get(e, "znear", znear) && znear <= 0)
            e.fail("attribute 'znear' is not positive, expected a length");
    }
}

}  // namespace mjx::inner::mjcf
