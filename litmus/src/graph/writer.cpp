// SPDX-License-Identifier: Apache-2.0
#include "writer.hpp"
#include "svg.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ringproof::litmus {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out)
        throw std::runtime_error(fmt::format("{}: cannot write: {}", file.string(), std::strerror(errno)));
}

} // namespace

nlohmann::ordered_json to_json(const execution& x, const source& from) {
    using json = nlohmann::ordered_json;
    json events = json::array(), relations = json::object();
    for (std::size_t i = 0; i < x.events.size(); ++i) {
        const execution::event& e = x.events[i];
        json one = {{"id", i}, {"name", event_name(i)}, {"thread", e.thread}, {"kind", e.kind}};
        if (!e.location.empty()) one["location"] = e.location;
        if (!e.loaded.empty()) one["loaded"] = e.loaded;
        if (!e.stored.empty()) one["stored"] = e.stored;
        one["labels"] = e.labels;
        if (e.thread >= 0) {
            const auto end =
                from.text.begin() + static_cast<std::ptrdiff_t>(std::min(e.offset, from.text.size()));
            one["line"] = 1 + std::count(from.text.begin(), end, '\n');
        }
        events.push_back(std::move(one));
    }
    for (const auto& [name, pairs] : x.relations) {
        json all = json::array();
        for (const auto& [a, b] : pairs) all.push_back({a, b});
        relations[name] = std::move(all);
    }
    return {{"state", x.state}, {"witness", x.witness}, {"events", events}, {"relations", relations}};
}

std::string graph_writer::write(const test& t, const std::string& model, const execution& x) {
    std::string stem = t.name + "." + model;
    std::replace_if(
        stem.begin(), stem.end(), [](char c) { return c == '/' || static_cast<unsigned char>(c) <= ' '; },
        '_');
    const int nth = ++used_[stem];
    if (nth > 1) stem += fmt::format("-{}", nth);
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        throw std::runtime_error(fmt::format("{}: cannot create the folder: {}", folder_, error.message()));
    const fs::path picture = fs::path(folder_) / (stem + ".svg");
    const std::string title =
        fmt::format("{} under {}: {}", t.name, model,
                    x.witness ? "what the condition asks for" : "allowed, not what the condition asks for");
    write_file(picture, to_svg(x, title));
    nlohmann::ordered_json data = {
        {"schema", "ringproof-execution/1"}, {"test", t.name}, {"file", t.from.file}, {"model", model}};
    data.update(to_json(x, t.from));
    write_file(fs::path(folder_) / (stem + ".json"), data.dump(2) + "\n");
    return picture.string();
}

} // namespace ringproof::litmus
