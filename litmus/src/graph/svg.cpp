// SPDX-License-Identifier: Apache-2.0
#include "svg.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace ringproof::litmus {
namespace {

constexpr int row_height = 70, box_height = 26, letter = 8, gap = 90, margin = 30, top = 70;

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    return out;
}

const char* colour_of(const std::string& relation) {
    static const std::map<std::string, const char*> colours{
        {"po", "#555"},   {"rf", "#c22"},   {"co", "#24c"},   {"fr", "#d80"},
        {"addr", "#829"}, {"data", "#292"}, {"ctrl", "#088"}, {"rmw", "#a52"}};
    const auto at = colours.find(relation);
    return at == colours.end() ? "#000" : at->second;
}

struct place {
    int x = 0, y = 0, half = 0; ///< centre, half of the width
};

std::vector<place> lay_out(const execution& x, int& width, int& height) {
    std::map<int, int> widest, next_row; // per thread
    int initial = 0;
    for (std::size_t i = 0; i < x.events.size(); ++i) {
        int& w = widest[x.events[i].thread];
        w = std::max(w, static_cast<int>(event_text(x, i).size()) * letter + 16);
        initial += x.events[i].thread < 0;
    }
    std::map<int, int> centre;
    int right = margin;
    for (const auto& [thread, w] : widest) {
        if (thread < 0) continue;
        centre[thread] = right + w / 2;
        right += w + gap;
    }
    width = std::max(right - gap, margin + initial * (widest[-1] + 30)) + margin;
    std::vector<place> places;
    int rows = 0, first = margin;
    for (std::size_t i = 0; i < x.events.size(); ++i) {
        const int thread = x.events[i].thread;
        const int half = (static_cast<int>(event_text(x, i).size()) * letter + 16) / 2;
        if (thread < 0) {
            places.push_back({first + widest[-1] / 2, top, half});
            first += widest[-1] + 30;
            continue;
        }
        const int row = ++next_row[thread];
        rows = std::max(rows, row);
        places.push_back({centre[thread], top + 40 + row * row_height, half});
    }
    height = top + 40 + rows * row_height + 2 * margin;
    return places;
}

/// From border to border, bowed to the right; the bow keeps arrows of several relations apart.
std::string arrow(const std::string& relation, const place& from, const place& to, int bow) {
    const bool below = to.y > from.y, level = to.y == from.y;
    const int half = box_height / 2;
    const int x1 = level ? from.x + (to.x > from.x ? from.half : -from.half) : from.x;
    const int y1 = level ? from.y : from.y + (below ? half : -half);
    const int x2 = level ? to.x + (to.x > from.x ? -to.half : to.half) : to.x;
    const int y2 = level ? to.y : to.y + (below ? -half : half);
    const int mx = (x1 + x2) / 2 + (level ? 0 : bow), my = (y1 + y2) / 2 - (level ? bow : 0);
    const char* colour = colour_of(relation);
    // The curve passes half-way between its control point and the straight line.
    return fmt::format("<path d=\"M{} {} Q{} {} {} {}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{} "
                       "marker-end=\"url(#to-{})\"/>\n"
                       "<text x=\"{}\" y=\"{}\" fill=\"{}\" font-size=\"12\">{}</text>\n",
                       x1, y1, mx, my, x2, y2, colour, relation == "po" ? " stroke-dasharray=\"4 3\"" : "",
                       relation, (x1 + x2 + 2 * mx) / 4 + 3, (y1 + y2 + 2 * my) / 4 - 2, colour, relation);
}

} // namespace

std::string event_name(std::size_t index) {
    return index < 26 ? std::string(1, static_cast<char>('a' + index)) : fmt::format("e{}", index);
}

std::string event_text(const execution& x, std::size_t index) {
    const execution::event& e = x.events[index];
    std::string text = event_name(index) + ": " + (e.kind == "init" ? "W" : e.kind);
    if (!e.labels.empty()) text += fmt::format("[{}]", fmt::join(e.labels, ","));
    if (!e.location.empty()) text += " " + e.location;
    if (e.kind == "U")
        text += fmt::format("={}→{}", e.loaded, e.stored);
    else if (!e.loaded.empty() || !e.stored.empty())
        text += "=" + (e.loaded.empty() ? e.stored : e.loaded);
    return text;
}

std::string to_svg(const execution& x, const std::string& title) {
    int width = 0, height = 0;
    const std::vector<place> places = lay_out(x, width, height);
    width = std::max(width, static_cast<int>(std::max(title.size(), x.state.size())) * 19 / 2 + 2 * margin);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"monospace\" font-size=\"13\">\n"
        "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n<defs>\n",
        width, height, escaped(title));
    for (const auto& [name, pairs] : x.relations)
        svg += fmt::format(
            "<marker id=\"to-{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
            "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8Z\" fill=\"{}\"/></marker>\n",
            name, colour_of(name));
    svg += fmt::format("</defs>\n<text x=\"{0}\" y=\"22\" font-size=\"15\">{1}</text>\n"
                       "<text x=\"{0}\" y=\"42\" fill=\"#555\">{2}</text>\n",
                       margin, escaped(title), escaped(x.state));
    int bow = 0;
    for (const auto& [name, pairs] : x.relations) {
        for (const auto& [from, to] : pairs) svg += arrow(name, places[from], places[to], bow);
        bow = name == "po" ? 35 : bow + 18;
    }
    int told = -1;
    for (std::size_t i = 0; i < x.events.size(); ++i) {
        const place& p = places[i];
        const int thread = x.events[i].thread;
        if (thread > told) {
            svg += fmt::format(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">Thread {}</text>\n", p.x,
                p.y - box_height, thread);
            told = thread;
        }
        svg += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" stroke=\"#999\"/>\n"
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            p.x - p.half, p.y - box_height / 2, 2 * p.half, box_height, thread < 0 ? "#eee" : "#fff", p.x,
            p.y + 5, escaped(event_text(x, i)));
    }
    return svg + "</svg>\n";
}

} // namespace ringproof::litmus
