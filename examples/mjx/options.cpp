// Command line options, and the model with them applied.
#include "command.hpp"

#include "mjx/model.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

namespace command {

namespace {

// A number that is not negative; `kind` says to people which numbers are meant.
template <class T>
T number(const std::string& option, const std::string& text, const char* kind) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0))
        throw std::runtime_error(option + ": '" + text + "' is not " + kind);
    return value;
}

// The place of `text` among the names.
template <std::size_t N>
int choice(const std::string& option, const std::string& text, const char* const (&names)[N]) {
    std::string expected;
    for (std::size_t i = 0; i < N; ++i) {
        if (text == names[i]) return static_cast<int>(i);
        expected += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    throw std::runtime_error(option + ": '" + text + "' is unknown, expected one of " + expected);
}

// NAME=DIR
void add_package(const std::string& text, mjx::UrdfOptions& urdf) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
        throw std::runtime_error("--package: '" + text + "' is not NAME=FOLDER");
    urdf.packages[text.substr(0, equals)] = text.substr(equals + 1);
}

template <std::size_t N>
void put_names(std::string& text, const std::string& place, const char* const (&names)[N]) {
    std::string list = names[0];
    for (std::size_t i = 1; i < N; ++i) list += (i + 1 < N ? ", " : " or ") + std::string(names[i]);
    text.replace(text.find(place), place.size(), list);
}

// elements=5000000,seconds=60: what a model file may ask for (mjx/model/budget.hpp)
mjx::Budget budget(const std::string& text) {
    mjx::Budget b;
    const std::map<std::string, std::size_t*> counts{
        {"bytes", &b.bytes}, {"elements", &b.elements}, {"copies", &b.copies}, {"numbers", &b.numbers}, {"range_steps", &b.range_steps}};
    for (std::size_t at = 0; at < text.size();) {
        const std::string item = text.substr(at, text.find(',', at) - at);
        const std::size_t equals = std::min(item.find('='), item.size());
        const std::string name = item.substr(0, equals), value = item.substr(std::min(equals + 1, item.size()));
        if (const auto found = counts.find(name); found != counts.end())
            *found->second = number<std::size_t>("--budget " + name, value, "a whole number of at least 0");
        else if (name == "seconds")
            b.seconds = number<double>("--budget seconds", value, "a number of seconds");
        else if (name == "strict")
            b.strict = number<int>("--budget strict", value, "0 or 1") != 0;
        else
            throw std::runtime_error("--budget: '" + name +
                                     "' is unknown, expected bytes, elements, copies, numbers, range_steps, seconds or strict");
        at += item.size() + 1;
    }
    return b;
}

// The options that a subcommand takes, each followed by a space; of no subcommand, all there are.
std::string options_of(const std::string& subcommand) {
    const std::string robot = "--package --repair-inertia --floating-base --actuators --soft-limits --visuals --link-mass ";
    const std::string method = robot + "--solver --integrator --cone --iterations --tolerance --budget --mujoco ";
    const std::string begin = method + "--state --key ";
    const std::map<std::string, std::string> taken{{"info", method},
                                                   {"convert", robot},
                                                   {"dump", begin + "--steps --scalar --ctrl "},
                                                   {"run", begin + "--steps --scalar --ctrl --csv --plot "},
                                                   {"bench", begin + "--steps --ctrl "},
                                                   {"view", begin + "--port --host --fps --three "},
                                                   {"record", begin + "-o --seconds --fps --three --ctrl "},
                                                   {"plot", "-o "}};
    if (const auto found = taken.find(subcommand); found != taken.end()) return found->second;
    if (!subcommand.empty())
        throw std::runtime_error("'" + subcommand +
                                 "' is not a subcommand, expected info, convert, dump, run, bench, view, record or plot (mjx --help)");
    std::string all;
    for (const auto& [name, options] : taken) all += options;
    return all;
}

// Sets a flag; says whether the word is one.
bool set_flag(Options& o, const std::string& word) {
    const std::map<std::string, bool*> flags{{"--repair-inertia", &o.urdf.repair_inertia},
                                             {"--floating-base", &o.urdf.floating_base},
                                             {"--actuators", &o.urdf.actuators},
                                             {"--soft-limits", &o.urdf.soft_limits},
                                             {"--visuals", &o.urdf.visuals}};
    const auto flag = flags.find(word);
    if (flag != flags.end()) *flag->second = true;
    return flag != flags.end();
}

void set_option(Options& o, const std::string& word, const std::string& value) {
    const std::map<std::string, std::optional<std::string>*> texts{{"--state", &o.state},
                                                                   {"--csv", &o.csv},
                                                                   {"--plot", &o.plot},
                                                                   {"-o", &o.output},
                                                                   {"--host", &o.host},
                                                                   {"--three", &o.three},
                                                                   {"--ctrl", &o.ctrl},
                                                                   {"--key", &o.key},
                                                                   {"--mujoco", &o.mujoco},
                                                                   {"--solver", &o.solver},
                                                                   {"--cone", &o.cone},
                                                                   {"--scalar", &o.scalar},
                                                                   {"--integrator", &o.integrator}};
    const std::map<std::string, std::optional<int>*> counts{{"--iterations", &o.iterations}, {"--steps", &o.steps}, {"--port", &o.port}};
    if (const auto text = texts.find(word); text != texts.end())
        *text->second = value;
    else if (const auto count = counts.find(word); count != counts.end())
        *count->second = number<int>(word, value, "a whole number from 0 to 2147483647");
    else if (word == "--package")
        add_package(value, o.urdf);
    else if (word == "--budget")
        o.budget = budget(value);
    else if (word == "--link-mass")
        o.urdf.link_mass = number<double>(word, value, "a mass");
    else if (word == "--seconds")
        o.seconds = number<double>(word, value, "a number of seconds");
    else if (word == "--fps")
        o.fps = number<double>(word, value, "a number of at least 0");
    else
        o.tolerance = number<double>(word, value, "a number of at least 0");
}

void check_options(const Options& o, const std::string& subcommand) {
    if (o.model.empty()) throw std::runtime_error(subcommand == "plot" ? "no table given (mjx --help)" : "no model given (mjx --help)");
    if (subcommand == "convert" && o.second.empty()) throw std::runtime_error("no file given to write to (mjx --help)");
    if ((subcommand == "record" || subcommand == "plot") && !o.output) throw std::runtime_error("-o FILE says what to write (mjx --help)");
    if (o.fps && !(*o.fps >= 1 && *o.fps <= 1000)) throw std::runtime_error("--fps: expected a number from 1 to 1000");
    if (o.port && *o.port > 65535) throw std::runtime_error("--port: expected a number from 0 to 65535");
    if (o.scalar) choice("--scalar", *o.scalar, {"double", "float"});
}

}  // namespace

std::string with_names(std::string help) {
    put_names(help, "SOLVERS", mjx::solver_names);
    put_names(help, "INTEGRATORS", mjx::integrator_names);
    return help;
}

Options parse_options(const std::string& subcommand, const std::vector<std::string>& words) {
    const std::string taken = options_of(subcommand), known = options_of("");
    const auto among = [](const std::string& word, const std::string& options) {
        return (" " + options).find(" " + word + " ") != std::string::npos;
    };
    Options o;
    o.urdf.visuals = subcommand == "view" || subcommand == "record";
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].starts_with("-")) {
            std::string& place = o.model.empty() ? o.model : o.second;
            if (!place.empty() || (&place == &o.second && subcommand != "convert"))
                throw std::runtime_error("two models given: " + o.model + " and " + words[i]);
            place = words[i];
            continue;
        }
        // --option value or --option=value
        const std::size_t equals = words[i].find('=');
        const std::string word = words[i].substr(0, equals);
        if (!among(word, known)) throw std::runtime_error(word + " is not an option (mjx --help)");
        if (!among(word, taken)) throw std::runtime_error(word + " means nothing to mjx " + subcommand + " (mjx --help)");
        if (set_flag(o, word)) {
            if (equals != std::string::npos) throw std::runtime_error(word + " takes no value (mjx --help)");
            continue;
        }
        if (equals == std::string::npos && i + 1 == words.size()) throw std::runtime_error(word + " needs a value (mjx --help)");
        set_option(o, word, equals != std::string::npos ? words[i].substr(equals + 1) : words[++i]);
    }
    check_options(o, subcommand);
    return o;
}

mjx::Model<double> load(const Options& o) {
    constexpr const char* versions[] = {"3.12", "3.13", "3.14"};
    mjx::Spec spec = mjx::parse_file(o.model, o.urdf, o.budget);
    if (o.mujoco) spec.option.mujoco = 312 + choice("--mujoco", *o.mujoco, versions);
    mjx::Model<double> m = mjx::compile(spec);
    if (o.solver) m.opt.solver = choice("--solver", *o.solver, mjx::solver_names);
    if (o.integrator) m.opt.integrator = choice("--integrator", *o.integrator, mjx::integrator_names);
    if (o.cone) m.opt.cone = choice("--cone", *o.cone, mjx::cone_names);
    if (o.iterations) m.opt.iterations = *o.iterations;
    if (o.tolerance) m.opt.tolerance = *o.tolerance;
    return m;
}

}  // namespace command
