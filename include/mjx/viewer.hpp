// Viewer: a simulation in a browser. It prints an address; the page that is there shows the simulation and talks back.
//
//     mjx::Viewer viewer(sim);
//     while (true) { sim.step(); viewer.update(); }       // as fast as it goes; update never waits
//     viewer.run();                                       // or: in real time, until viewer.stop(); pages may pause, step, go slower
//
//     mjx::Viewer one(batch, 7);                          // environment 7 of a Batch, to look at
//     mjx::Viewer lane(sim, {.lane = 3});                 // a lane of a simulator of packs
//
// Without a page update() costs a look at the clock, with one a copy of the poses 60 times a second; the network has a thread of its own.
// The page needs three.js (view/html.hpp). Only this machine can reach it unless `host` says otherwise; then the address has a token.
// The simulator must stay where it is while the viewer lives.
#pragma once

#include "mjx/batch/lanes.hpp"
#include "mjx/view/html.hpp"
#include "mjx/view/pull.hpp"
#include "mjx/view/server.hpp"
#include "mjx/view/stream.hpp"

#include <cstdio>
#include <functional>
#include <vector>

namespace mjx {

struct ViewerOptions {
    std::string host = "127.0.0.1";
    int port = 7410;  // or one of the next twenty, if it is taken; 0: any
    double fps = 60;
    int lane = 0;
    std::string three{};  // where three.js is, if not at a usual place
    bool quiet = false;  // do not print the address
    bool driven = false;  // run() is used: pages may pause and change the speed
};

class Viewer {
    using Seconds = std::chrono::duration<double>;
    using SteadyClock = std::chrono::steady_clock;

  public:
    template <class Sim>
        requires requires(Sim& sim) { sim.step(), sim.model(), sim.data(); }
    explicit Viewer(Sim& sim, ViewerOptions options = {}) : options_(std::move(options)) {
        using namespace inner::show;
        read_ = [this, &sim](inner::show::Frame& frame) { read_frame(sim.model(), sim.data(), options_.lane, wanted_, frame); };
        apply_ = [this, &sim](const Command& command) { apply(sim, command); };
        before_step_ = [this, &sim] { pull_.apply(sim.model(), sim.data(), options_.lane); };
        step_ = [&sim] { sim.step(); };
        time_ = [this, &sim] { return number(sim.time(), options_.lane); };
        open(make_scene(sim.model()), field_names(sim.data()));
    }
    // The environment's state, brought into a simulator of its own.
    template <class Batch>
        requires requires(Batch& batch) {
            typename Batch::simulator;
            batch.state(0);
        }
    Viewer(Batch& batch, int environment, ViewerOptions options = {}) : options_(std::move(options)) {
        using namespace inner::show;
        const auto sim = std::make_shared<typename Batch::simulator>(batch.environment_simulator());
        read_ = [this, sim, &batch, environment](inner::show::Frame& frame) {
            batch.state(environment).restore(sim->data());
            sim->forward();
            read_frame(sim->model(), sim->data(), 0, wanted_, frame);
        };
        apply_ = [this](const Command& command) { apply_to_view(command); };
        time_ = [&batch, environment] { return number(batch.view("time")(environment, 0)); };
        open(make_scene(sim->model()), field_names(sim->data()));
    }
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    const std::string& url() const { return server_->url(); }
    int port() const { return server_->port(); }
    int pages() const { return server_->pages(); }  // that watch now

    // Does what the pages asked for and shows them where the simulation is. Never waits.
    void update() {
        for (const inner::show::Command& command : server_->take_commands()) apply_(command);
        if (before_step_) before_step_();
        const auto now = SteadyClock::now();
        if (now < next_frame_) return;
        next_frame_ = std::max(now, next_frame_ + std::chrono::duration_cast<SteadyClock::duration>(Seconds(1 / options_.fps)));
        if (server_->pages() == 0) return;
        measure(now);
        read_(frame_);
        server_->publish(frame_bytes(frame_, clock_));
    }

    // Simulates in real time, or at the pages' speed, until stop() is called (a signal handler may).
    void run() {
        stopped_ = false;
        auto start = SteadyClock::now();
        double from = time_(), at_speed = speed_;
        while (!stopped_) {
            update();
            const auto now = SteadyClock::now();
            const double behind = from + speed_ * Seconds(now - start).count() - time_();
            const bool lost = at_speed != speed_ || behind > 0.1 * speed_ || behind < -0.1;  // also after a reset
            if (clock_.paused || lost) start = now, from = time_(), at_speed = speed_;
            if (!clock_.paused && behind > 0)
                step_();
            else
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    void stop() { stopped_ = true; }
    bool paused() const { return clock_.paused; }

  private:
    ViewerOptions options_;
    inner::show::Wanted wanted_{};
    inner::show::Frame frame_{};
    inner::show::Clock clock_{};
    inner::show::Pull pull_{};
    std::function<void(inner::show::Frame&)> read_{};
    std::function<void(const inner::show::Command&)> apply_{};
    std::function<void()> before_step_{}, step_{};
    std::function<double()> time_{};
    std::unique_ptr<inner::show::Server> server_{};
    SteadyClock::time_point next_frame_{}, measured_at_{};
    double measured_time_ = 0, speed_ = 1;
    std::atomic<bool> stopped_ = false;

    void open(const inner::show::Scene& scene, const std::vector<inner::show::FieldName>& fields) {
        using namespace inner::show;
        const SceneText text = scene_text(scene);
        const std::filesystem::path three = find_three(options_.three);
        ServedFiles files;
        files["/"] = {"text/html; charset=utf-8", html_page()};
        files["/scene.json"] = {"application/json", about_json(text.json, fields, options_.driven)};
        files["/surfaces.bin"] = {"application/octet-stream", text.surfaces.data};
        for (std::size_t i = 0; i < scene.pictures.size(); ++i)
            files["/picture" + std::to_string(i) + ".png"] = {"image/png", scene.pictures[i]};
        for (const char* const name : {"three.module.js", "three.core.js"}) {
            std::error_code none;
            if (std::filesystem::exists(three / name, none))
                files["/" + std::string(name)] = {"text/javascript; charset=utf-8", read_whole_file(three / name), false};
        }
        const CommandLimits limits{static_cast<int>(scene.bodies.size()), static_cast<int>(scene.controls.size()),
                                   static_cast<int>(scene.keys.size()), fields};
        server_ = std::make_unique<Server>(ServerOptions{options_.host, options_.port, options_.port != 0}, std::move(files), limits);
        if (options_.quiet) return;
        for (const std::string& trouble : scene.troubles) std::fprintf(stderr, "mjx: %s\n", trouble.c_str());
        std::fprintf(stderr, "mjx: look at %s\n", url().c_str());
    }

    // The simulated seconds in a second, over half a second.
    void measure(SteadyClock::time_point now) {
        const double passed = Seconds(now - measured_at_).count(), time = time_();
        if (passed < 0.5) return;
        clock_.rate = passed < 2 && time >= measured_time_ ? (time - measured_time_) / passed : 0;
        measured_at_ = now;
        measured_time_ = time;
    }

    // What changes nothing but the picture.
    bool apply_to_view(const inner::show::Command& c) {
        using inner::show::Ask;
        if (c.ask == Ask::contacts)
            wanted_.contacts = c.index != 0;
        else if (c.ask == Ask::probes)
            wanted_.probes = c.probes, clock_.asked = c.index;
        else if (c.ask == Ask::pause || c.ask == Ask::run)
            clock_.paused = options_.driven && c.ask == Ask::pause;
        else if (c.ask == Ask::speed)
            speed_ = c.value[0];
        else
            return false;
        return true;
    }
    template <class Sim>
    void apply(Sim& sim, const inner::show::Command& c) {
        using inner::show::Ask;
        using S = typename Sim::scalar;
        auto& d = sim.data();
        const int k = options_.lane;
        if (apply_to_view(c)) return;
        if (c.ask == Ask::pull) {
            pull_.grab(d, k, c.index, c.value);
        } else if (c.ask == Ask::release) {
            pull_.release(d, k);
        } else if (c.ask == Ask::ctrl) {
            const auto value = static_cast<inner::value_t<S>>(c.value[0]);
            if constexpr (inner::lanes_v<S> == 1)
                d.ctrl[c.index] = S(value);
            else
                inner::set_lane(d.ctrl[c.index], k, inner::lane_t<S>(value));
        } else if (c.ask == Ask::step) {
            if (clock_.paused) sim.step();
        } else if (c.ask == Ask::reset || c.ask == Ask::key) {
            pull_.release(d, k);
            if constexpr (inner::lanes_v < S >> 1) {
                inner::reset_lanes(sim.model(), d, inner::lane_mask<S>([k](int i) { return i == k; }));
            } else {
                if (c.ask == Ask::reset)
                    sim.reset();
                else
                    sim.reset_keyframe(c.index);
            }
            sim.forward();
        }
    }
};

}  // namespace mjx
