// The server of the page: what it serves and to whom, slow and vanished pages; and the commands it accepts.
#include "view/client.hpp"

using namespace client;

TEST_CASE("files that are listed are served, and nothing else") {
    const Server server({}, files(), limits());
    CHECK(answers(get(server, "/"), "200"));
    CHECK(get(server, "/scene.json").find("\r\n\r\n{}") != std::string::npos);
    for (const char* target : {"/etc/passwd", "/../etc/passwd", "//", "/three.core.js", "/scene.json/", "/%2e%2e/x"})
        CHECK(answers(get(server, target), "404"));
    Client post(server);
    post.send("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    CHECK(answers(post.receive(), "405"));
}

TEST_CASE("other hosts and other sites get nothing from the loopback interface") {
    const Server server({}, files(), limits());
    CHECK(server.url().rfind("http://127.0.0.1:", 0) == 0);
    CHECK(server.url().find("token") == std::string::npos);
    CHECK(answers(get(server, "/", "127.0.0.1:8080"), "200"));  // a forwarded port
    CHECK(answers(get(server, "/", "[::1]:8080"), "200"));
    for (const char* host : {"evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:80"})
        CHECK(answers(get(server, "/", host), "403"));
    CHECK(answers(get(server, "/scene.json", "localhost", "Origin: http://evil.example\r\n"), "403"));
    Client other(server);
    other.send("GET /stream HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n" + upgrade + "\r\n");
    other.socket.shutdown(tcp::socket::shutdown_send);
    CHECK(answers(other.receive(), "403"));
}

TEST_CASE("on other interfaces everything about the model needs the token of the address") {
    const Server server({"0.0.0.0", 0, false}, files(), limits());
    const std::size_t at = server.url().find("?token=");
    REQUIRE(at != std::string::npos);
    const std::string query = server.url().substr(at);
    CHECK(query.size() == 7 + 32);
    CHECK(answers(get(server, "/" + query, "robot.local"), "200"));
    CHECK(answers(get(server, "/scene.json" + query, "robot.local"), "200"));
    CHECK(answers(get(server, "/three.module.js", "robot.local"), "200"));
    for (const std::string& wrong :
         {std::string(), std::string("?token="), query.substr(0, query.size() - 1), std::string("?token=") + std::string(32, '0')}) {
        CHECK(answers(get(server, "/" + wrong, "robot.local"), "403"));
        CHECK(answers(get(server, "/scene.json" + wrong, "robot.local"), "403"));
    }
    CHECK_THROWS(Server({"not an address", 0, false}, files(), limits()));
    CHECK_THROWS(Server({"127.0.0.1", server.port(), false}, files(), limits()));
}

TEST_CASE("commands come through; malformed, oversized and too many messages are dropped") {
    Server server({}, files(), limits());
    Watcher page(server);
    page.send(message("ctrl 1 0.5") + message("nonsense") + message("ctrl 9 0.5") + message("pull 2 0 0 0 1 2 3"));
    std::deque<Command> got;
    CHECK(within_seconds(10, [&] {
        for (Command& c : server.take_commands()) got.push_back(std::move(c));
        return got.size() == 2;
    }));
    REQUIRE(got.size() == 2);
    CHECK(got[0].ask == Ask::ctrl);
    CHECK(got[0].value[0] == 0.5);
    CHECK(got[1].value[5] == 3);
    for (int i = 0; i < 2000; ++i) page.send(message("step"));
    std::size_t steps = 0;
    within_seconds(1, [&] { return (steps += server.take_commands().size()) > 2000; });
    CHECK(steps < 1500);  // three hundred a second
    page.send(message("probes 1 " + std::string(4000, 'x')));
    CHECK(within_seconds(10, [&] { return server.pages() == 0; }));
    CHECK(answers(get(server, "/"), "200"));
}

TEST_CASE("a page that does not read costs the simulation nothing and keeps one frame waiting") {
    Server server({}, files(), limits());
    Watcher slow(server);
    CHECK(within_seconds(10, [&] { return server.pages() == 1; }));
    std::string head(4, '\0');
    const std::string frame(200000, 'f');
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 300; ++i) {
        server.publish(frame);
        if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    INFO("publishing took " << seconds << " s");
    CHECK(answers(get(server, "/"), "200"));  // the others are served meanwhile
    Watcher quick(server);
    CHECK(within_seconds(10, [&] {
        server.publish("frame");  // until the handshake is over, a page is sent nothing
        return quick.socket.available() >= head.size();
    }));
    asio::read(quick.socket, asio::buffer(head));
    CHECK(head[0] == '\x82');
    { Watcher gone(server); }
    for (int i = 0; i < 20; ++i) server.publish(frame);
    CHECK(within_seconds(10, [&] { return server.pages() == 2; }));
}

TEST_CASE("a command is understood only if it is exactly one, with numbers in their limits") {
    const CommandLimits l = limits();
    const auto good = [&](const char* text) { return parse_command(text, l).has_value(); };
    for (const char* text : {"pause", "run", "step", "reset", "release", "key 1", "speed 0.5", "ctrl 2 -1e3", "contacts 1",
                             "pull 4 0 0 0 1 1 1", "probes 3", "probes 3 xpos:14 energy:0"})
        CHECK(good(text));
    for (const char* text : {"",
                             " ",
                             "pause ",
                             "pause 1",
                             "Pause",
                             "key",
                             "key 2",
                             "key -1",
                             "key 1.5",
                             "speed 0",
                             "speed nan",
                             "speed inf",
                             "speed 1e9",
                             "ctrl 3 0",
                             "ctrl 0",
                             "ctrl 0 1 2",
                             "ctrl 0  1",
                             "ctrl 0 1e999",
                             "ctrl 0 0x1",
                             "contacts 2",
                             "pull 5 0 0 0 1 1 1",
                             "pull 1 0 0 0 1 1",
                             "pull 1 0 0 0 1 1 nan",
                             "probes",
                             "probes x",
                             "probes 1 xpos",
                             "probes 1 xpos:15",
                             "probes 1 xpos:-1",
                             "probes 1 nothing:0",
                             "probes 1 :0"})
        CHECK_FALSE(good(text));
    CHECK_FALSE(parse_command(std::string(2000, 'a'), l).has_value());
}
