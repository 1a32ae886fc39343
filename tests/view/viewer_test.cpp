// A viewer and a page that talks to it: frames that are sent, commands that are obeyed, environments of a batch.
#include "catch.hpp"

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/viewer.hpp"

#include <cstring>

namespace {

namespace beast = boost::beast;
using tcp = boost::asio::ip::tcp;

// Something that can be taken for three.js: the page is not opened here.
std::string three() {
    const auto folder = std::filesystem::temp_directory_path() / "mjx_viewer_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "three.module.js") << "// not needed here\n";
    return folder.string();
}

mjx::Model<double> ball() {
    return mjx::load_mjcf_string(R"(<mujoco><option gravity="0 0 0"/><worldbody><body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/>
      <site name="s"/></body></worldbody><actuator><motor site="s" gear="1 0 0 0 0 0" ctrlrange="-1 1"/></actuator>
      <keyframe><key name="high" qpos="0 0 5 1 0 0 0"/></keyframe></mujoco>)");
}

struct Page {
    boost::asio::io_context context{};
    beast::websocket::stream<tcp::socket> stream{context};
    explicit Page(const mjx::Viewer& viewer) {
        stream.next_layer().connect({boost::asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(viewer.port())});
        stream.handshake("localhost", "/stream");
        stream.text(true);
    }
    void say(const std::string& text) { stream.write(boost::asio::buffer(text)); }
    std::string frame() {
        beast::flat_buffer buffer;
        stream.read(buffer);
        return beast::buffers_to_string(buffer.data());
    }
};

// Updates until something holds; the network has its own pace.
template <class Condition>
bool update_until(mjx::Viewer& viewer, Condition&& condition) {
    for (int i = 0; i < 1000 && !condition(); ++i) {
        viewer.update();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return condition();
}

double double_at(const std::string& frame, std::size_t at) {
    double x;
    std::memcpy(&x, frame.data() + at, 8);
    return x;
}

}  // namespace

TEST_CASE("a page sees the simulation and may set controls, pull, and go to a keyframe") {
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(ball());
    mjx::Viewer viewer(sim, {.port = 0, .fps = 1000, .three = three(), .quiet = true});
    viewer.update();
    Page page(viewer);
    CHECK(update_until(viewer, [&] { return viewer.pages() == 1; }));

    page.say("ctrl 0 0.5");
    CHECK(update_until(viewer, [&] { return sim.ctrl()[0] == 0.5; }));
    page.say("ctrl 0 0");
    page.say("pull 1 0 0 0.1 0 0 2");
    CHECK(update_until(viewer, [&] { return sim.data().xfrc_applied[1][2] > 0; }));
    for (int i = 0; i < 2000; ++i) {
        viewer.update();
        sim.step();
    }
    // the spring holds the point a tenth above the centre where it was drawn to
    CHECK(std::abs(sim.qpos()[2] - 1.9) < 1e-3);
    page.say("release");
    CHECK(update_until(viewer, [&] { return sim.data().xfrc_applied[1][2] == 0; }));
    CHECK(sim.data().xfrc_applied[1][3] == 0);

    page.say("key 0");
    CHECK(update_until(viewer, [&] { return sim.qpos()[2] == 5; }));
    page.say("reset");
    CHECK(update_until(viewer, [&] { return sim.qpos()[2] == 1; }));

    sim.time() = 3;
    std::string frame;
    for (int i = 0; i < 500 && (frame.empty() || double_at(frame, 64) != 3); ++i) {
        update_until(viewer, [n = 0]() mutable { return ++n > 3; });
        frame = page.frame();
    }
    CHECK(double_at(frame, 64) == 3);
    float height;
    std::memcpy(&height, frame.data() + 80 + 4 * (7 + 2), 4);
    CHECK(height == 1);
}

TEST_CASE("an environment of a batch is shown as it is") {
    mjx::Batch<double, mjx::Euler, mjx::Newton> batch(ball(), 3, 1);
    auto qpos = batch.qpos();
    for (std::size_t e = 0; e < 3; ++e) qpos(e, 2) = 1 + static_cast<double>(e);
    batch.set_qpos(qpos);
    batch.step();
    for (int e = 0; e < 3; ++e) {
        auto sim = batch.environment_simulator();
        batch.state(e).restore(sim.data());
        for (int i = 0; i < 7; ++i) CHECK(sim.qpos()[i] == batch.qpos()(static_cast<std::size_t>(e), static_cast<std::size_t>(i)));
        CHECK(sim.time() == batch.time()(static_cast<std::size_t>(e), 0));
    }
    CHECK_THROWS(batch.state(3));
    mjx::Viewer viewer(batch, 2, {.port = 0, .fps = 1000, .three = three(), .quiet = true});
    Page page(viewer);
    CHECK(update_until(viewer, [&] { return viewer.pages() == 1; }));
    std::string frame;
    CHECK(update_until(viewer, [n = 0]() mutable { return ++n > 3; }));
    frame = page.frame();
    float height;
    std::memcpy(&height, frame.data() + 80 + 4 * (7 + 2), 4);
    CHECK(height == 3);
}
