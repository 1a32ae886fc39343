// A client of the page's server that sends bytes as they are, for tests.
#pragma once

#include "catch.hpp"

#include "mjx/view/server.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

namespace client {

using namespace mjx::inner::show;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

inline ServedFiles files() {
    return {{"/", {"text/html", "<p>page</p>"}},
            {"/scene.json", {"application/json", "{}"}},
            {"/three.module.js", {"text/javascript", "//", false}}};
}
inline CommandLimits limits() { return {5, 3, 2, {{"xpos", 15}, {"energy", 2}}}; }

struct Client {
    asio::io_context context{};
    tcp::socket socket{context};
    explicit Client(const Server& server) {
        socket.connect({asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(server.port())});
    }
    // Leaves nothing behind, so that thousands can come and go.
    void vanish() {
        boost::system::error_code error;
        socket.set_option(asio::socket_base::linger(true, 0), error);
        socket.close(error);
    }
    void send(const std::string& bytes) {
        boost::system::error_code error;
        asio::write(socket, asio::buffer(bytes), error);
    }
    // What comes until the server closes the connection.
    std::string receive() {
        std::string text;
        boost::system::error_code error;
        asio::read(socket, asio::dynamic_buffer(text), error);
        return text;
    }
};

inline std::string get(const Server& server, const std::string& target, const std::string& host = "localhost",
                       const std::string& more = "") {
    Client client(server);
    client.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + more + "\r\n");
    return client.receive();
}
inline bool answers(const std::string& reply, const char* status) { return reply.rfind(std::string("HTTP/1.1 ") + status, 0) == 0; }

inline const std::string upgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";

// A text message from a client: final, masked by zeros.
inline std::string message(const std::string& text) {
    std::string frame = "\x81";
    if (text.size() < 126)
        frame += static_cast<char>(0x80 | text.size());
    else
        frame += std::string{'\xfe', static_cast<char>(text.size() >> 8), static_cast<char>(text.size() & 255)};
    return frame + std::string(4, '\0') + text;
}

// A page that asked for the stream, after the server's answer.
struct Watcher : Client {
    explicit Watcher(const Server& server) : Client(server) {
        send("GET /stream HTTP/1.1\r\nHost: localhost\r\n" + upgrade + "\r\n");
        std::string text;
        boost::system::error_code error;
        asio::read_until(socket, asio::dynamic_buffer(text), "\r\n\r\n", error);
        REQUIRE(answers(text, "101"));
    }
};

// Waits for the network, which has its own pace.
template <class Condition>
bool within_seconds(int seconds, Condition&& condition) {
    for (int i = 0; i < 100 * seconds && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
}

}  // namespace client
