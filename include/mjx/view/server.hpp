// Server: a page, its data and a stream of frames over HTTP and WebSocket, on a thread of its own (the only Boost.Beast include).
//
// The simulation hands over frames and fetches commands; it never waits for the network. Each page has at most one frame on its way
// and one waiting, the newest: a slow one misses frames, and one that takes none for a while is let go. Only what is listed in
// ServedFiles is served; requests are bounded in size and time, messages in size and number.
//
// On the loopback interface a page is told by where it comes from: Host must name this machine and Origin, where a browser sends
// it, must be the page itself, so other sites that are open in the browser get nothing. On other interfaces every address needs a token.
#pragma once

#include "mjx/view/command.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace mjx::inner::show {

struct ServedFile {
    std::string type{}, content{};
    bool secret = true;  // needs the token where there is one
};
using ServedFiles = std::map<std::string, ServedFile, std::less<>>;  // by target: "/", "/scene.json" ...

struct ServerOptions {
    std::string host = "127.0.0.1";
    int port = 0;  // 0: any that is free
    bool next_ports = false;  // try those after it as well
};

class Server {
    using tcp = boost::asio::ip::tcp;
    template <class T>
    using Ptr = std::shared_ptr<T>;
    using Packet = Ptr<const std::string>;
    static constexpr int most_pages = 16, most_connections = 64, messages_per_second = 300;
    static constexpr std::size_t most_commands = 4096;

  public:
    Server(const ServerOptions& options, ServedFiles files, CommandLimits limits)
        : files_(std::move(files)), limits_(std::move(limits)), acceptor_(context_) {
        namespace ip = boost::asio::ip;
        boost::system::error_code error;
        const ip::address address = ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, error);
        if (error) throw std::runtime_error("'" + options.host + "' is not an address such as 127.0.0.1 or 0.0.0.0");
        loopback_ = address.is_loopback();
        if (!loopback_) token_ = make_token();
        for (int port = options.port; port < 65536 && port <= options.port + (options.next_ports ? 20 : 0); ++port)
            if ((error = listen({address, static_cast<unsigned short>(port)})) != boost::asio::error::address_in_use) break;
        if (error) throw std::runtime_error(options.host + ", port " + std::to_string(options.port) + ": " + error.message());
        const auto local = acceptor_.local_endpoint();
        const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
        url_ = "http://" + host + ":" + std::to_string(local.port()) + "/" + (token_.empty() ? "" : "?token=" + token_);
        accept();
        thread_ = std::thread([this] { context_.run(); });
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server() {
        context_.stop();
        thread_.join();
        open_.clear();
    }

    const std::string& url() const { return url_; }
    int port() const { return static_cast<int>(acceptor_.local_endpoint().port()); }
    int pages() const { return page_count_; }

    // Sends a frame to every page that is ready for one.
    void publish(std::string bytes) {
        boost::asio::post(context_, [this, packet = std::make_shared<const std::string>(std::move(bytes))] {
            for (const Ptr<Page>& page : std::set(open_)) page->send(packet);
        });
    }
    // The commands that came since the last call, the oldest first.
    std::deque<Command> take_commands() {
        std::deque<Command> taken;
        if (!commands_waiting_) return taken;
        const std::lock_guard lock(command_mutex_);
        commands_waiting_ = false;
        taken.swap(commands_);
        return taken;
    }

  private:
    using Request = boost::beast::http::request<boost::beast::http::empty_body>;

    struct Visit;
    struct Page;

    std::atomic<int> page_count_ = 0;  // before the context, whose handlers hold what counts itself
    int connections_ = 0;
    boost::asio::io_context context_{1};
    std::set<Ptr<Page>> open_{};
    ServedFiles files_;
    CommandLimits limits_;
    tcp::acceptor acceptor_;
    bool loopback_ = true;
    std::string token_{}, url_{};
    std::atomic<bool> commands_waiting_ = false;
    std::mutex command_mutex_{};
    std::deque<Command> commands_{};
    std::thread thread_{};

    boost::system::error_code listen(const tcp::endpoint& at) {
        boost::system::error_code error;
        if (acceptor_.is_open()) acceptor_.close(error);
        acceptor_.open(at.protocol(), error);
        if (!error) acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
        if (!error) acceptor_.bind(at, error);
        if (!error) acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
        return error;
    }
    static std::string make_token() {
        std::random_device random;
        std::string token;
        for (int i = 0; i < 32; ++i) token += "0123456789abcdef"[random() % 16];
        return token;
    }
    void accept() {
        acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
            if (!error && connections_ < most_connections) std::make_shared<Visit>(*this, std::move(socket))->read();
            if (acceptor_.is_open()) accept();
        });
    }
    void receive(std::string_view text) {
        const std::optional<Command> command = parse_command(text, limits_);
        if (!command) return;
        const std::lock_guard lock(command_mutex_);
        if (commands_.size() < most_commands) commands_.push_back(*command);
        commands_waiting_ = true;
    }

    // ------------------------------------------------------------------------------------------- who may ask

    static std::string_view host_name(std::string_view host) {  // without the port
        const std::size_t colon = host.rfind(':');
        return colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos ? host.substr(0, colon) : host;
    }
    bool has_token(std::string_view query) const {
        const std::string_view wanted = "token=";
        if (token_.empty()) return true;
        const std::size_t at = query.find(wanted);
        if (at == std::string_view::npos || query.size() - at - wanted.size() < token_.size()) return false;
        unsigned different = 0;  // in the same time whatever is wrong
        for (std::size_t i = 0; i < token_.size(); ++i)
            different |= static_cast<unsigned char>(query[at + wanted.size() + i]) ^ static_cast<unsigned char>(token_[i]);
        return different == 0;
    }
    bool allows(const Request& request, std::string_view query, bool secret) const {
        namespace http = boost::beast::http;
        const auto field = [&](http::field name) {
            const auto text = request[name];
            return std::string_view(text.data(), text.size());
        };
        const std::string_view host = field(http::field::host), name = host_name(host), origin = field(http::field::origin);
        if (loopback_ && name != "localhost" && name != "127.0.0.1" && name != "[::1]") return false;
        if (!origin.empty() && origin != "http://" + std::string(host) && origin != "https://" + std::string(host)) return false;
        return !secret || has_token(query);
    }

    // ------------------------------------------------------------------------------------------- a connection asking for files

    struct Visit : std::enable_shared_from_this<Visit> {
        Server& server;
        boost::beast::tcp_stream stream;
        boost::beast::flat_buffer buffer{16384};
        std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser{};
        boost::beast::http::response<boost::beast::http::string_body> response{};

        Visit(Server& s, tcp::socket socket) : server(s), stream(std::move(socket)) { ++server.connections_; }
        ~Visit() { --server.connections_; }

        void read() {
            parser.emplace();
            parser->header_limit(8192);
            parser->body_limit(0);
            stream.expires_after(std::chrono::seconds(20));
            boost::beast::http::async_read(stream, buffer, *parser,
                                           [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
                                               if (!error) self->answer();
                                           });
        }
        void answer() {
            namespace http = boost::beast::http;
            const Request& request = parser->get();
            const std::string target(request.target().data(), request.target().size());
            const std::size_t mark = std::min(target.find('?'), target.size());
            const std::string path = target.substr(0, mark), query = target.substr(mark);
            if (boost::beast::websocket::is_upgrade(request)) {
                if (path == "/stream" && server.allows(request, query, true) && server.page_count_ < most_pages) {
                    stream.expires_never();
                    std::make_shared<Page>(server, stream.release_socket())->start(request);
                    return;
                }
                return reply(http::status::forbidden, "text/plain", "no stream here\n");
            }
            const bool reading = request.method() == http::verb::get || request.method() == http::verb::head;
            const auto file = server.files_.find(path);
            if (!reading) return reply(http::status::method_not_allowed, "text/plain", "only GET\n");
            if (file == server.files_.end()) return reply(http::status::not_found, "text/plain", "no such page\n");
            if (!server.allows(request, query, file->second.secret))
                return reply(http::status::forbidden, "text/plain", "the address needs its token, and the page its own host\n");
            reply(http::status::ok, file->second.type, file->second.content);
        }
        void reply(boost::beast::http::status status, const std::string& type, const std::string& content) {
            namespace http = boost::beast::http;
            const Request& request = parser->get();
            response = {status, request.version()};
            response.set(http::field::content_type, type);
            response.set(http::field::cache_control, "no-store");
            response.set("X-Content-Type-Options", "nosniff");
            response.set("Referrer-Policy", "no-referrer");
            response.keep_alive(request.keep_alive());
            if (request.method() == http::verb::head)
                response.content_length(content.size());
            else
                response.body() = content, response.prepare_payload();
            http::async_write(stream, response, [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
                if (!error && self->response.keep_alive()) self->read();
            });
        }
    };

    // ------------------------------------------------------------------------------------------- a page that watches

    struct Page : std::enable_shared_from_this<Page> {
        Server& server;
        boost::beast::websocket::stream<boost::beast::tcp_stream> stream;
        boost::beast::flat_buffer buffer{};
        Packet writing{}, waiting{};
        std::chrono::steady_clock::time_point second{}, written{};
        int messages = 0;  // in this second

        Page(Server& s, tcp::socket socket) : server(s), stream(std::move(socket)) { ++server.page_count_; }
        ~Page() { --server.page_count_; }

        void start(const Request& request) {
            namespace websocket = boost::beast::websocket;
            websocket::stream_base::timeout timeout{std::chrono::seconds(10), std::chrono::seconds(60), true};
            stream.set_option(timeout);
            stream.read_message_max(most_command_bytes);
            stream.binary(true);
            boost::system::error_code none;
            boost::beast::get_lowest_layer(stream).socket().set_option(tcp::no_delay(true), none);
            stream.async_accept(request, [self = this->shared_from_this()](boost::system::error_code error) {
                if (error) return;
                self->server.open_.insert(self);
                self->read();
            });
        }
        void read() {
            stream.async_read(buffer, [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
                if (error) return self->leave();
                const auto now = std::chrono::steady_clock::now();
                if (now - self->second > std::chrono::seconds(1)) self->second = now, self->messages = 0;
                if (++self->messages <= messages_per_second && self->stream.got_text()) {
                    const auto data = self->buffer.cdata();
                    self->server.receive({static_cast<const char*>(data.data()), data.size()});
                }
                self->buffer.consume(self->buffer.size());
                self->read();
            });
        }
        void send(const Packet& packet) {
            const auto now = std::chrono::steady_clock::now();
            if (writing) {
                waiting = packet;
                if (now - written > std::chrono::seconds(15)) leave();
                return;
            }
            writing = packet;
            written = now;
            stream.async_write(boost::asio::buffer(*writing),
                               [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
                                   self->writing.reset();
                                   if (error) return self->leave();
                                   if (const Packet next = std::exchange(self->waiting, nullptr)) self->send(next);
                               });
        }
        void leave() {
            boost::system::error_code none;
            boost::beast::get_lowest_layer(stream).socket().close(none);
            server.open_.erase(this->shared_from_this());
        }
    };
};

}  // namespace mjx::inner::show
