// The mjx command, as a person or a script runs it.
#include "catch.hpp"

#include <sys/wait.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

struct Result {
    int status;
    std::string text;  // output and errors together
};

Result run(const std::string& arguments) {
    const std::string command = std::string(MJX_COMMAND) + " " + arguments + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe);
    Result r{0, ""};
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) r.text.append(buffer, n);
    r.status = WEXITSTATUS(pclose(pipe));
    return r;
}

std::string scene(const std::string& name) { return std::string(MJX_TESTS_DIR) + "/models/" + name + ".xml"; }

bool has(const Result& r, const std::string& what) { return r.text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("help says what there is") {
    for (const char* how : {"", "--help", "help", "run --help", "2>/dev/null"}) {
        const auto r = run(how);
        CHECK(r.status == 0);
        for (const char* word : {"info", "dump", "run", "bench", "--state", "--solver"}) CHECK(has(r, word));
    }
}

TEST_CASE("the version says what it agrees with") {
    const auto r = run("--version");
    CHECK(r.status == 0);
    CHECK(has(r, "mjx 0."));
    CHECK(has(r, "MuJoCo 3."));
}

TEST_CASE("info shows sizes and the tree of bodies") {
    const auto r = run("info " + scene("humanoid"));
    CHECK(r.status == 0);
    for (const char* word : {"nv 27", "timestep", "torso", "free", "hinge"}) CHECK(has(r, word));
}

TEST_CASE("a dump can be fed back as a state") {
    const auto first = run("dump " + scene("pendulum") + " --steps 10");
    CHECK(first.status == 0);
    CHECK(has(first, "sizes 12 "));
    CHECK(has(first, "next_qpos 1 "));
    const std::string qpos = first.text.substr(first.text.find("\nqpos ") + 1);
    std::ofstream("command_test.state") << qpos.substr(0, qpos.find('\n')) << "\n";
    const auto second = run("dump " + scene("pendulum") + " --state command_test.state");
    CHECK(second.status == 0);
    CHECK(has(second, qpos.substr(0, qpos.find('\n'))));
}

TEST_CASE("the budget of a model can be set") {
    std::ofstream("command_test_large.xml") << "<mujoco><worldbody><replicate count='2000'><site/></replicate></worldbody></mujoco>";
    const auto refused = run("info command_test_large.xml --budget copies=1000,seconds=2.5");
    CHECK(refused.status == 1);
    CHECK(has(refused, "budget.copies"));
    CHECK(run("info command_test_large.xml --budget=copies=5000").status == 0);
    CHECK(has(run("info command_test_large.xml --budget wishes=3"), "'wishes' is unknown, expected bytes, elements"));
    CHECK(has(run("info command_test_large.xml --budget bytes="), "'' is not a whole number"));
}

TEST_CASE("an interrupted run leaves a table that is complete to its last line") {
    std::remove("command_test_interrupted.csv");
    const std::string begin = std::string("timeout --preserve-status -s INT 1 ") + MJX_COMMAND + " run " + scene("pendulum");
    const std::string end = " --steps 2000000000 --csv command_test_interrupted.csv 2> command_test_interrupted.txt";
    const int status = std::system((begin + end).c_str());
    CHECK(WEXITSTATUS(status) == 1);
    std::ifstream said("command_test_interrupted.txt"), csv("command_test_interrupted.csv");
    CHECK(std::string(std::istreambuf_iterator<char>(said), {}).find("interrupted after") != std::string::npos);
    const std::string table(std::istreambuf_iterator<char>(csv), {});
    REQUIRE_FALSE(table.empty());
    CHECK(table.back() == '\n');
    const std::size_t last = table.rfind('\n', table.size() - 2);
    CHECK(std::count(table.begin() + static_cast<std::ptrdiff_t>(last), table.end(), ',') ==
          std::count(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(table.find('\n')), ','));
}

TEST_CASE("a full disk is an error") {
    if (!std::ifstream("/dev/full")) return;  // not on this system
    for (const char* what : {"run --steps 100000 --csv /dev/full", "dump --steps 1 >/dev/full", "run --steps 10 --plot /dev/full"}) {
        const std::string arguments = what;
        const std::size_t at = arguments.find(' ');
        const auto r = run(arguments.substr(0, at) + " " + scene("pendulum") + arguments.substr(at));
        INFO(what << ": " << r.text);
        CHECK(r.status == 1);
        if (!has({0, arguments}, ">")) CHECK(has(r, "cannot be written"));  // else the words go to the same place
    }
}

TEST_CASE("contacts without room are reported with the attribute that gives more") {
    std::ofstream("command_test_full.xml")
        << "<mujoco><size nconmax='3'/><worldbody><geom type='plane' size='1 1 1'/>"
           "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>";
    for (const char* how : {"run", "bench", "dump"}) {
        const auto r = run(std::string(how) + " command_test_full.xml --steps 2");
        CHECK(r.status == 0);
        CHECK(has(r, "warning: contacts full"));
        CHECK(has(r, "room for 3 contacts"));
        CHECK(has(r, "<size nconmax="));
    }
}

TEST_CASE("every solver, integrator, cone and scalar can be chosen") {
    for (const char* option : {"--solver PGS", "--solver CG", "--solver Newton", "--solver CachedPGS", "--solver Penalty",
                               "--integrator Euler", "--integrator RK4", "--integrator implicit", "--integrator implicitfast",
                               "--integrator implicit_spring_damper", "--cone elliptic", "--scalar float"}) {
        INFO(option);
        const auto r = run("dump " + scene("cheetah") + " --steps 5 " + option);
        CHECK(r.status == 0);
        CHECK(has(r, "qacc 9 "));
        CHECK(!has(r, "nan"));
    }
}

TEST_CASE("run writes a trajectory and bench a speed") {
    const auto r = run("run " + scene("pendulum") + " --steps 20 --csv command_test.csv");
    CHECK(r.status == 0);
    CHECK(has(r, "20 steps"));
    std::ifstream csv("command_test.csv");
    std::string line;
    int lines = 0;
    while (std::getline(csv, line)) {
        if (lines++ == 0) CHECK(line.substr(0, 17) == "time,qpos.hinge,q");
    }
    CHECK(lines == 21);
    CHECK(run("run " + scene("pendulum") + " --steps 20 --scalar float").status == 0);
    CHECK(has(run("bench " + scene("pendulum") + " --steps=100"), "pendulum: 100 steps"));
}

TEST_CASE("bad input is one message and exit 1") {
    const char* cases[][2] = {{"fly x.xml", "not a subcommand"},
                              {"info", "no model"},
                              {"info nowhere.xml", "nowhere.xml"},
                              {"dump x.xml --solver Gauss", ""},
                              {"dump x.xml --steps minus", "not a whole number"},
                              {"dump x.xml --csv y.csv", "--csv means nothing to mjx dump"},
                              {"info x.xml --scalar float", "--scalar means nothing to mjx info"},
                              {"info x.xml --package arm", "'arm' is not NAME=FOLDER"},
                              {"info x.xml --actuators=1", "--actuators takes no value"},
                              {"dump x.xml --steps", "needs a value"},
                              {"dump x.xml --steps 99999999999", "'99999999999' is not a whole number from 0 to 2147483647"},
                              {"dump x.xml --what 1", "--what is not an option"},
                              {"dump x.xml --what=1", "--what is not an option"},
                              {"dump x.xml -steps 1", "-steps is not an option"}};
    for (const auto& [arguments, message] : cases) {
        INFO(arguments);
        const auto r = run(arguments);
        CHECK(r.status == 1);
        CHECK(has(r, message));
    }
    CHECK(has(run("dump " + scene("pendulum") + " --key 3"), "keyframe"));
    CHECK(run("dump " + scene("pendulum") + " --key 3").status == 1);
    std::ofstream("command_test.bad") << "qpos 2 1 2\n";
    const auto r = run("dump " + scene("pendulum") + " --state command_test.bad");
    CHECK(r.status == 1);
    CHECK(has(r, "the model has 1"));
    CHECK(run("dump " + scene("pendulum") + " --state .").status == 1);
    CHECK(run("bench " + scene("pendulum") + " --steps 0").status == 1);
}

TEST_CASE("controls come from a constant or from a table, whose columns are found by name") {
    std::ofstream("command_ctrl.xml")
        << "<mujoco><worldbody><body><joint name='a' type='slide'/><joint name='b' type='slide' axis='1 0 0'/>"
           "<geom size='0.1'/></body></worldbody><actuator><motor name='ma' joint='a'/><motor name='mb' "
           "joint='b'/></actuator><sensor><jointpos name='s' joint='a'/></sensor></mujoco>";
    const auto ctrl = [](const std::string& option) {
        const auto r = run("run command_ctrl.xml --steps 2 --csv command_ctrl.csv --ctrl " + option);
        INFO(r.text);
        CHECK(r.status == 0);
        std::ifstream csv("command_ctrl.csv");
        std::string head, first, last;
        std::getline(csv, head);
        CHECK(head == "time,qpos.a,qpos.b,qvel.a,qvel.b,ctrl.ma,ctrl.mb,sensor.s");
        std::getline(csv, first);
        std::getline(csv, last);
        const auto cells = [](const std::string& line) {  // the two controls
            std::size_t at = 0;
            for (int i = 0; i < 5; ++i) at = line.find(',', at) + 1;
            return line.substr(at, line.rfind(',') - at);
        };
        return cells(first) + " " + cells(last);
    };
    CHECK(ctrl("3") == "3,3 3,3");
    CHECK(ctrl("1,-2") == "1,-2 1,-2");
    std::ofstream("command_ctrl_table.csv") << "time,ctrl.mb\n0,5\n1,6\n";
    CHECK(ctrl("command_ctrl_table.csv") == "0,5 0,6");
    std::ofstream("command_ctrl_table.csv") << "7,8\n";
    CHECK(ctrl("command_ctrl_table.csv") == "7,8 7,8");
    CHECK(has(run("run command_ctrl.xml --ctrl 1,2,3"), "3 numbers, the model has 2 controls"));
    CHECK(has(run("run command_ctrl.xml --ctrl nowhere.csv"), "nowhere.csv: cannot be read"));
}

TEST_CASE("a divergence is said on a line of its own and is exit code 2") {
    std::ofstream("command_diverges.xml") << "<mujoco><worldbody><body><joint type='slide' stiffness='-1e9'/><geom size='0.1'/></body>"
                                             "</worldbody></mujoco>";
    const auto r = run("run command_diverges.xml --steps 300");
    CHECK(r.status == 2);
    CHECK(has(r, "\ndiverged in step "));
    CHECK(has(r, "\nwarning: bad q"));
    CHECK(has(r, "until it diverged"));
    CHECK(!has(r, "\n300 steps in"));
}

TEST_CASE("the options for URDF are taken wherever a model is") {
    std::ofstream("command_robot.urdf")
        << "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='6' iyy='2' izz='1'/></inertial></link>"
           "<link name='tip'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
           "<joint name='j' type='revolute'><parent link='base'/><child link='tip'/><limit effort='3' velocity='1'/></joint></robot>";
    const auto refused = run("info command_robot.urdf");
    CHECK(refused.status == 1);
    CHECK(has(refused, "link[base]: inertia must satisfy"));
    for (const char* how : {"info", "dump", "run --steps 3", "bench --steps 3"}) {
        const auto r = run(std::string(how) +
                           " command_robot.urdf --repair-inertia --floating-base --actuators --soft-limits --package a=b --package c=d");
        INFO(r.text);
        CHECK(r.status == 0);
        CHECK(has(r, "mjx: command_robot.urdf:1: /robot[r]/link[base]: no body is like this"));
    }
    CHECK(has(run("info command_robot.urdf --repair-inertia --floating-base --actuators"), "nv 7 nu 1 "));
}

TEST_CASE("a robot is converted to MJCF that is the same model") {
    std::ofstream("command_convert.urdf")
        << "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
           "<link name='tip'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
           "<joint name='j' type='revolute'><parent link='base'/><child link='tip'/>"
           "<origin xyz='0.1 0.2 0.3' rpy='0.1 0.2 0.3'/><limit effort='3' velocity='1'/></joint></robot>";
    const auto r = run("convert command_convert.urdf command_convert.xml --actuators --floating-base");
    INFO(r.text);
    CHECK(r.status == 0);
    CHECK(has(r, "command_convert.xml: 3 bodies, 2 joints, 1 geoms, 1 actuators"));
    CHECK(run("dump command_convert.xml --steps 20").text == run("dump command_convert.urdf --actuators --floating-base --steps 20").text);
    CHECK(has(run("convert command_convert.urdf"), "no file given"));
    CHECK(has(run("convert command_convert.urdf nowhere/x.xml"), "nowhere/x.xml: cannot be written"));
}

TEST_CASE("output that cannot be written is an error", "[examples]") {
    if (!std::ifstream("/dev/full")) return;
    CHECK(run("dump " + scene("pendulum") + " > /dev/full").status == 1);
    CHECK(run("run " + scene("pendulum") + " --steps 5 --csv /dev/full").status == 1);
}

TEST_CASE("a model without nativeccd collides by the native collider, and is told so once", "[examples]") {
    const auto model = [](const std::string& option) {
        return "<mujoco>" + option + R"(<worldbody><body pos="0 0 .1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/></body>
            <body pos="0.1 0 .4"><freejoint/><geom type="cylinder" size=".1 .2"/></body></worldbody></mujoco>)";
    };
    std::ofstream("command_test_ccd.xml") << model("");
    std::ofstream("command_test_no_ccd.xml") << model(R"(<option><flag nativeccd="disable"/></option>)");
    const auto with = run("dump command_test_ccd.xml");
    auto without = run("dump command_test_no_ccd.xml");
    CHECK(without.status == 0);
    CHECK(has(with, "\nncon 1 1\n"));
    const std::size_t said = without.text.find("mjx: "), end = without.text.find('\n', said);
    REQUIRE(said != std::string::npos);
    CHECK(without.text.find("nativeccd", said) < end);
    without.text.erase(said, end + 1 - said);
    CHECK(without.text == with.text);
}
