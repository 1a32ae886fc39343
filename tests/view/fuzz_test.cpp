// Hostile bytes for twenty seconds: requests, frames and messages that are nearly right. MJX_FUZZ_SECONDS sets another time.
#include "view/client.hpp"

#include <cstdlib>

using namespace client;

namespace {

using Random = std::mt19937;

std::string mutated(std::string text, const std::string& letters, Random& random) {
    for (auto changes = random() % 8; changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random() % text.size();
        switch (random() % 5) {
            case 0: text.erase(at, 1 + random() % 20); break;
            case 1: text.insert(at, 1, letters[random() % letters.size()]); break;
            case 2: text[at] = static_cast<char>(random()); break;
            case 3: text[at] = static_cast<char>(text[at] ^ 1 << random() % 8); break;
            default: text += text.substr(at, random() % 200); break;
        }
    }
    return text;
}

bool within_limits(const Command& command, const CommandLimits& l) {
    bool within = command.index >= 0 && command.probes.size() <= most_probes;
    if (command.ask == Ask::ctrl) within = within && command.index < l.controls;
    if (command.ask == Ask::pull) within = within && command.index < l.bodies;
    if (command.ask == Ask::key) within = within && command.index < l.keys;
    for (const double x : command.value) within = within && std::isfinite(x) && std::abs(x) <= largest_command;
    for (const Probe& p : command.probes) within = within && p.index >= 0 && p.index < l.fields[static_cast<std::size_t>(p.field)].count;
    return within;
}

const std::string commands[] = {"pause",     "ctrl 2 -1e3", "pull 4 0 0 0 1 1 1", "probes 3 xpos:14 energy:0",
                                "speed 0.5", "key 1",       "contacts 1"};

std::string messages_nearly_right(Random& random) {
    std::string all;
    for (int i = 0; i < 20; ++i) all += message(mutated(commands[random() % std::size(commands)], "0123456789.-+e :naif", random));
    return all;
}

// What may come over a connection, before it is changed.
std::string seed(Random& random) {
    const std::string ask = "GET /stream HTTP/1.1\r\nHost: localhost\r\n" + upgrade + "\r\n";
    switch (random() % 6) {
        case 0: return "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        case 1: return ask + message("pause") + message("ctrl 0 1");
        case 2: return std::string(20000, 'A');
        case 3: return "GET " + std::string(9000, '/') + " HTTP/1.1\r\n\r\n";
        case 4: return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nx";
        default: return ask + messages_nearly_right(random);
    }
}

}  // namespace

TEST_CASE("whatever comes, the server stands and obeys only what is within the limits") {
    const char* const set = std::getenv("MJX_FUZZ_SECONDS");
    const double seconds = set ? std::atof(set) : 20;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    Server server({}, files(), limits());
    Random random(7);
    const CommandLimits l = limits();
    long messages = 0, understood = 0, connections = 0, obeyed = 0;
    const auto check = [&](const Command& command) {
        if (!within_limits(command, l)) FAIL("a command beyond its limits, number " << command.index);
    };
    do {
        for (int i = 0; i < 1000; ++i, ++messages) {
            const auto command = parse_command(mutated(commands[random() % std::size(commands)], "0123456789.-+e :naif", random), l);
            if (!command) continue;
            ++understood;
            check(*command);
        }
        for (int i = 0; i < 20; ++i, ++connections) {
            Client visitor(server);
            visitor.send(mutated(seed(random), " :\r\n/%=?", random));
            if (random() % 4 == 0) server.publish(std::string(random() % 5000, 'f'));
            visitor.vanish();
        }
        {
            Client page(server);  // that gets as far as being listened to
            page.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n" + upgrade + "\r\n");
            std::string answer;
            boost::system::error_code error;
            asio::read_until(page.socket, asio::dynamic_buffer(answer), "\r\n\r\n", error);
            page.send(message("run") + messages_nearly_right(random));
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            page.vanish();
        }
        for (const Command& command : server.take_commands()) check(command), ++obeyed;
    } while (std::chrono::steady_clock::now() < until);
    INFO(messages << " messages, " << connections << " connections");
    CHECK(understood > 0);
    CHECK(obeyed > 0);
    CHECK(within_seconds(30, [&] { return answers(get(server, "/"), "200"); }));
    CHECK(within_seconds(30, [&] { return server.pages() == 0; }));
}
