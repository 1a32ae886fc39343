// Curves as SVG: charts below each other, each with its axes, grid and names.
#pragma once

#include "mjx/view/json.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace mjx::inner::show {

struct Chart {
    std::string title{};
    std::vector<double> x{};
    std::vector<std::pair<std::string, std::vector<double>>> lines{};  // name, as many values as x
};

// Round numbers that divide a range into four to nine parts.
inline std::vector<double> ticks(double low, double high) {
    const double span = high - low, power = std::pow(10, std::floor(std::log10(span)));
    double step = power / 5;
    for (const double s : {power / 2, power, 2 * power, 5 * power})
        if (span / step > 9) step = s;
    std::vector<double> places;
    for (double k = std::ceil(low / step); k * step <= high + 1e-9 * span; ++k) places.push_back(k * step);
    return places;
}

inline std::string xml_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '&')
            out += "&amp;";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
    }
    return out;
}

class ChartWriter {
    static constexpr double width = 900, height = 260, left = 78, right = 150, top = 34, bottom = 34;
    double x0_, x1_, y0_, y1_, down_;
    std::string text_{};

    static std::string place(double x) {
        char text[32];
        return std::string(text, std::to_chars(text, text + sizeof(text), x, std::chars_format::fixed, 1).ptr);
    }
    static std::string label(double x) {
        char text[32];
        return std::string(text,
                           std::to_chars(text, text + sizeof(text), std::abs(x) < 1e-12 ? 0.0 : x, std::chars_format::general, 4).ptr);
    }
    static std::pair<double, double> widened(double low, double high) {
        if (!(low <= high)) return {0, 1};
        const double room = high > low ? 0.04 * (high - low) : std::max(1e-3, std::abs(high) * 0.1);
        return {low - room, high + room};
    }
    double px(double x) const { return left + (x - x0_) / (x1_ - x0_) * (width - left - right); }
    double py(double y) const { return down_ + height - bottom - (y - y0_) / (y1_ - y0_) * (height - top - bottom); }
    void line(double xa, double ya, double xb, double yb) {
        text_ += "<path d=\"M" + place(xa) + " " + place(ya) + "L" + place(xb) + " " + place(yb) + "\" class=\"grid\"/>\n";
    }
    void words(double x, double y, const char* anchor, const std::string& what, const std::string& more = {}) {
        text_ += "<text x=\"" + place(x) + "\" y=\"" + place(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" + xml_text(what) +
                 "</text>\n";
    }

  public:
    static constexpr double chart_width = width, chart_height = height;

    ChartWriter(const Chart& chart, double down) : down_(down) {
        double low = INFINITY, high = -INFINITY;
        for (const auto& [name, values] : chart.lines)
            for (const double v : values)
                if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
        std::tie(y0_, y1_) = widened(low, high);
        x0_ = chart.x.empty() ? 0 : chart.x.front();
        x1_ = chart.x.empty() || !(chart.x.back() > x0_) ? x0_ + 1 : chart.x.back();
        words(left, down + top - 12, "start", chart.title, " class=\"title\"");
        for (const double y : ticks(y0_, y1_)) {
            line(left, py(y), width - right, py(y));
            words(left - 8, py(y) + 4, "end", label(y));
        }
        for (const double x : ticks(x0_, x1_)) {
            line(px(x), py(y0_), px(x), py(y0_) + 4);
            words(px(x), py(y0_) + 17, "middle", label(x));
        }
        for (std::size_t k = 0; k < chart.lines.size(); ++k) draw(chart, k);
    }
    // As many points as there are pixels: of the values that share one, the least and the greatest.
    void draw(const Chart& chart, std::size_t k) {
        const std::string& name = chart.lines[k].first;
        const std::vector<double>& values = chart.lines[k].second;  // clang 14 does not let a lambda see structured bindings
        const std::string color = "hsl(" + place(std::fmod(210 + 137.508 * static_cast<double>(k), 360)) + ",65%,48%)";
        const std::size_t n = std::min(chart.x.size(), values.size()), bin = std::max<std::size_t>(1, n / 700);
        std::string path;
        const auto point = [&](std::size_t i) {
            if (std::isfinite(values[i])) path += (path.empty() ? "M" : "L") + place(px(chart.x[i])) + " " + place(py(values[i]));
        };
        for (std::size_t i = 0; i < n; i += bin) {
            std::size_t least = i, most = i;
            for (std::size_t j = i; j < std::min(n, i + bin); ++j) {
                if (values[j] < values[least]) least = j;
                if (values[j] > values[most]) most = j;
            }
            point(std::min(least, most));
            if (least != most) point(std::max(least, most));
        }
        text_ += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + color + "\" stroke-width=\"1.4\"><title>" + xml_text(name) +
                 "</title></path>\n";
        const double y = down_ + top + 8 + 14 * static_cast<double>(k);
        if (y < down_ + height - bottom) words(width - right + 12, y, "start", name, " fill=\"" + color + "\"");
    }
    const std::string& text() const { return text_; }
};

inline std::string svg(const std::vector<Chart>& charts) {
    const std::string size = "0 0 " + json(ChartWriter::chart_width) + " " +
                             json(ChartWriter::chart_height * static_cast<double>(charts.size()));
    std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + size +
                       "\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#444\">\n"
                       "<style>.grid{stroke:#ddd}.title{font-size:13px;font-weight:bold;fill:#222}</style>\n"
                       "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    for (std::size_t i = 0; i < charts.size(); ++i)
        text += ChartWriter(charts[i], ChartWriter::chart_height * static_cast<double>(i)).text();
    return text + "</svg>\n";
}

}  // namespace mjx::inner::show
