// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.hpp"

#include "../division/stored_hidden.hpp"
#include "../program/base.hpp"

#include <ringproof/command/file.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <link.h>
#include <stdexcept>

namespace ringproof::verify {
namespace {

using command::json;

constexpr std::uint64_t hash_basis = 0xcbf2'9ce4'8422'2325u, hash_prime = 0x100'0000'01b3u;

/// By words, as the engine with all it tells a debugger is large; and in four lanes, since a step waits for the one
/// before it: of a search that is stopped and goes on every second it would be a third of the start.
std::uint64_t hash_of_file(const std::string& path, std::uint64_t hash) {
    constexpr std::size_t lanes = 4;
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint64_t> block(1 << 15);
    std::array<std::uint64_t, lanes> lane{};
    std::streamsize got = 0;
    while (file.read(reinterpret_cast<char*>(block.data()),
                     static_cast<std::streamsize>(block.size() * sizeof(std::uint64_t))),
           (got = file.gcount()) > 0) {
        const auto bytes = static_cast<std::size_t>(got);
        constexpr std::size_t stride = lanes * sizeof(std::uint64_t);
        const std::size_t end = (bytes + stride - 1) / stride * stride; // the block is a multiple of it
        std::memset(reinterpret_cast<char*>(block.data()) + bytes, 0, end - bytes);
        for (std::size_t i = 0; i < end / sizeof(std::uint64_t); i += lanes)
            for (std::size_t l = 0; l < lanes; ++l) {
                lane[l] = (lane[l] ^ block[i + l]) * hash_prime;
                lane[l] ^= lane[l] >> 32; // a product carries nothing downwards
            }
        hash = (hash ^ bytes) * hash_prime;
    }
    for (const std::uint64_t one : lane) {
        hash = (hash ^ one) * hash_prime;
        hash ^= hash >> 32;
    }
    if (!file.eof()) throw command::file_error(path + ": cannot read it to tell which program this is");
    return hash;
}

/// The program and the engine, byte for byte: with either changed, the same decisions lead elsewhere.
const std::string& program_identity() {
    static const std::string identity = [] {
        std::uint64_t hash = hash_of_file("/proc/self/exe", hash_basis);
        Dl_info engine;
        if (dladdr(reinterpret_cast<void*>(&write_checkpoint), &engine) != 0 && engine.dli_fname)
            hash = hash_of_file(engine.dli_fname, hash);
        return fmt::format("{:016x}", hash);
    }();
    return identity;
}

/// The options that decide which executions there are, or which of them are errors. What was searched with others
/// is no part of the search to be resumed.
json shape_of(const command_options& o) {
    const json races = o.races_ignored ? json("ignore") : json(o.races_go_on);
    return {{"--rounds", o.rounds},         {"--max-events", o.max_events},
            {"--leaks", o.leaks},           {"--unfair", o.unfair},
            {"--exit-code", o.exit_code},   {"--spurious", o.spurious},
            {"--reuse-addresses", o.reuse}, {"--races", races},
            {"--liveness", !o.liveness}};
}

std::string option_text(const std::string& option, const json& value) {
    if (value == json(false) || value == json(0) || value == json("")) return "without " + option;
    return value == json(true) ? "with " + option : fmt::format("with {} {}", option, value.dump());
}

/// A site in a library is nowhere in particular: libraries lie elsewhere in each process.
std::uint64_t relative(std::uintptr_t site) {
    Dl_info of;
    const bool known = site != 0 && dladdr(reinterpret_cast<void*>(site), &of) != 0 && of.dli_fbase;
    Dl_info own;
    const bool in_program = known && dladdr(reinterpret_cast<void*>(program_base() + 64), &own) != 0
                                ? of.dli_fbase == own.dli_fbase
                                : known;
    return in_program ? site - program_base() : 0;
}
std::uintptr_t absolute(std::uint64_t offset) { return offset == 0 ? 0 : program_base() + offset; }

json ledger_to_json(const exploration_result& r) {
    json entries = json::array(), loops = json::array();
    for (const auto& [entry, times] : r.assumptions)
        entries.push_back({row_of(entry.first).name, relative(entry.second), times});
    for (const auto& [site, loop] : r.counting) loops.push_back({relative(site), loop.endless, loop.left});
    return {{"entries", entries},
            {"loops", loops},
            {"evaluated", r.evaluated},
            {"unordered_reads", r.unordered_reads},
            {"hidden", to_json(r.hidden, place_of)}};
}

json to_json(const stopped_search& s) {
    const exploration_result& r = s.so_far;
    return {{"scenario", s.scenario},
            {"model", model_name(s.model)},
            {"executions", r.executions},
            {"blocked", r.blocked},
            {"blocked by assumption", r.blocked_by_assumption},
            {"pruned", r.pruned},
            {"events", r.events},
            {"permutations", r.permutations},
            {"longest", r.longest},
            {"seconds", r.seconds},
            {"covered", r.covered},
            {"bounds", r.bounds},
            {"judged", r.judged},
            {"first met", r.first_met},
            {"part", to_json(s.part)},
            {"positions", to_json(r.positions)},
            {"lessons", to_json(r.lessons)},
            {"ledger", ledger_to_json(r)}};
}

assumption kind_of(const json& name) {
    const auto* text = name.get_ptr<const std::string*>();
    for (std::size_t i = 0; text && i < assumption_count; ++i)
        if (row_of(static_cast<assumption>(i)).name == *text) return static_cast<assumption>(i);
    refuse("its ledger has a kind that there is not");
}

void read_ledger(const json& from, exploration_result& r) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (!from.at("entries").is_array() || !from.at("loops").is_array() ||
        !from.at("evaluated").is_boolean() || !from.at("unordered_reads").is_boolean())
        refuse("it has no ledger");
    r.evaluated = from.at("evaluated");
    r.unordered_reads = from.at("unordered_reads");
    r.hidden = hidden_of(from.at("hidden"), address_of_place);
    for (const json& e : from.at("entries")) {
        if (!e.is_array() || e.size() != 3) refuse("its ledger has an entry that is none");
        r.assumptions[{kind_of(e[0]), absolute(number(e[1], most, "call site"))}] +=
            number(e[2], std::numeric_limits<std::uint64_t>::max() / 4, "use of an assumption");
    }
    for (const json& l : from.at("loops")) {
        if (!l.is_array() || l.size() != 3 || !l[1].is_boolean() || !l[2].is_boolean())
            refuse("its ledger has a loop that is none");
        exploration_result::counting_loop& loop = r.counting[absolute(number(l[0], most, "call site"))];
        loop.endless |= l[1].get<bool>();
        loop.left |= l[2].get<bool>();
    }
}

stopped_search search_of(const json& from) {
    stopped_search s;
    s.scenario = from.at("scenario");
    bool known = false;
    for (const named_model& m : named_models)
        if (from.at("model") == m.name) {
            s.model = m.which;
            known = true;
        }
    if (!known) refuse("it names a model that is not there");
    exploration_result& r = s.so_far;
    r.executions = count(from, "executions");
    if (!from.at("permutations").is_number() || !(from.at("permutations") >= 0))
        refuse("its permutations are no number");
    r.permutations = from.at("permutations");
    r.blocked = count(from, "blocked");
    r.blocked_by_assumption = count(from, "blocked by assumption");
    r.pruned = count(from, "pruned");
    r.events = count(from, "events");
    r.longest = count(from, "longest");
    if (!from.at("seconds").is_number() || !(from.at("seconds") >= 0)) refuse("its seconds are no duration");
    r.seconds = from.at("seconds");
    r.covered = from.at("covered").get<std::set<std::string>>();
    r.bounds = from.at("bounds").get<std::vector<std::string>>();
    read_ledger(from.at("ledger"), r);
    r.judged = from.at("judged");
    r.first_met = from.at("first met");
    s.part = part_of(from.at("part"));
    r.positions = positions_of(from.at("positions"));
    r.lessons = lessons_of(from.at("lessons"));
    return s;
}

void check_origin(const json& document, const command_options& options) {
    check_version(document);
    const json shape = shape_of(options);
    if (!document.at("options").is_object() || document.at("options").size() != shape.size())
        refuse("it was written with other options");
    for (const auto& [option, value] : shape.items())
        if (const json& then = document.at("options").at(option); then != value)
            refuse(fmt::format("it was written {}, and this command is {}", option_text(option, then),
                               option_text(option, value)));
}

} // namespace

void write_checkpoint(const std::vector<stopped_search>& searches, const command_options& options,
                      const std::string& path) {
    json document{{"schema", checkpoint_schema},
                  {"checker", command::version()},
                  {"program", program_identity()},
                  {"options", shape_of(options)},
                  {"searches", json::array()}};
    for (const stopped_search& s : searches) document["searches"].push_back(to_json(s));
    command::write_text(with_checksum(document), path);
}

std::vector<stopped_search> read_checkpoint(const std::string& path, const command_options& options,
                                            const std::vector<subject>& subjects) {
    const std::string text = command::read_text(path);
    std::vector<stopped_search> all;
    try {
        const json document = checked_document(text);
        check_origin(document, options);
        if (!document.at("searches").is_array()) refuse("its searches are no list");
        for (const json& one : document.at("searches")) {
            stopped_search s = search_of(one);
            if (std::none_of(subjects.begin(), subjects.end(),
                             [&](const subject& known) { return known.name == s.scenario; }))
                refuse(fmt::format("it names '{}', which is not in this program", s.scenario));
            for (const stopped_search& other : all)
                if (other.scenario == s.scenario && other.model == s.model)
                    refuse(fmt::format("it has '{}' twice under one model", s.scenario));
            all.push_back(std::move(s));
        }
        // Last, as it takes longest.
        if (document.at("program") != program_identity())
            refuse("it was written by another program, or by this one before it was built anew");
    } catch (const json::exception& error) {
        throw std::invalid_argument(fmt::format("{}: not a checkpoint: {}", path, error.what()));
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(
            fmt::format("{}: the checkpoint cannot be resumed: {}", path, error.what()));
    }
    return all;
}

} // namespace ringproof::verify
