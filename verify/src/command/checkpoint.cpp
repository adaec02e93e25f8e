// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.hpp"

#include "../graph/clock.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/file.hpp>

#include <algorithm>
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

constexpr const char* schema = "ringproof-checkpoint/5";

/// What is wrong with it; read_checkpoint() puts the file's name before it.
[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

constexpr std::uint64_t hash_basis = 0xcbf2'9ce4'8422'2325u, hash_prime = 0x100'0000'01b3u; // FNV-1a

/// Any change of a single byte changes it.
std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = hash_basis;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * hash_prime;
    return hash;
}

/// By words, as the engine with all it tells a debugger is large.
std::uint64_t hash_of_file(const std::string& path, std::uint64_t hash) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint64_t> block(1 << 15);
    std::streamsize got = 0;
    while (file.read(reinterpret_cast<char*>(block.data()),
                     static_cast<std::streamsize>(block.size() * sizeof(std::uint64_t))),
           (got = file.gcount()) > 0) {
        const auto bytes = static_cast<std::size_t>(got);
        std::memset(reinterpret_cast<char*>(block.data()) + bytes, 0,
                    block.size() * sizeof(std::uint64_t) - bytes);
        for (std::size_t i = 0; i < (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t); ++i) {
            hash = (hash ^ block[i]) * hash_prime;
            hash ^= hash >> 32; // a product carries nothing downwards
        }
        hash = (hash ^ bytes) * hash_prime;
    }
    if (!file.eof()) throw command::file_error(path + ": cannot read it to tell which program this is");
    return hash;
}

/// The program and the engine, byte for byte: with either changed, the same decisions lead elsewhere.
std::string program_identity() {
    std::uint64_t hash = hash_of_file("/proc/self/exe", hash_basis);
    Dl_info engine;
    if (dladdr(reinterpret_cast<void*>(&write_checkpoint), &engine) != 0 && engine.dli_fname)
        hash = hash_of_file(engine.dli_fname, hash);
    return fmt::format("{:016x}", hash);
}

/// The options that decide which executions there are, or which of them are errors. What was searched with others
/// is no part of the search to be resumed.
json shape_of(const command_options& o) {
    return {{"--rounds", o.rounds},       {"--max-events", o.max_events}, {"--leaks", o.leaks},
            {"--exit-code", o.exit_code}, {"--spurious", o.spurious},     {"--reuse-addresses", o.reuse}};
}

std::string option_text(const std::string& option, const json& value) {
    if (value == json(false) || value == json(0) || value == json("")) return "without " + option;
    return value == json(true) ? "with " + option : fmt::format("with {} {}", option, value.dump());
}

/// Where the executable lies in this process. Call sites are written relative to it.
std::uintptr_t program_base() {
    std::uintptr_t base = 0;
    const auto first = [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
        return 1;
    };
    dl_iterate_phdr(first, &base);
    return base;
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
            {"unordered_reads", r.unordered_reads}};
}

json to_json(const std::vector<search_position>& all) {
    json positions = json::array();
    for (const search_position& p : all) {
        json threads = json::array();
        for (const auto& [parent, nth] : p.threads) threads.push_back({parent, nth});
        positions.push_back({{"ways", p.ways}, {"ends", p.ends}, {"threads", threads}});
    }
    return positions;
}

json to_json(const stopped_search& s) {
    const exploration_result& r = s.so_far;
    return {
        {"scenario", s.scenario},         {"model", model_name(s.model)}, {"executions", r.executions},
        {"blocked", r.blocked},           {"pruned", r.pruned},           {"events", r.events},
        {"permutations", r.permutations}, {"longest", r.longest},         {"seconds", r.seconds},
        {"covered", r.covered},           {"bounds", r.bounds},           {"positions", to_json(r.positions)},
        {"lessons", to_json(r.lessons)},  {"ledger", ledger_to_json(r)}};
}

std::uint64_t number(const json& value, std::uint64_t most, const char* what) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
        refuse(fmt::format("its {} is {}, which no search has", what, value.dump()));
    return value;
}

/// Room for the sums that are still to come.
std::uint64_t count(const json& from, const char* what) {
    return number(from.at(what), std::numeric_limits<std::uint64_t>::max() / 4, what);
}

std::vector<std::uint32_t> ways(const json& from, const char* what) {
    if (!from.at(what).is_array()) refuse(fmt::format("its {} are no list", what));
    std::vector<std::uint32_t> all;
    for (const json& one : from.at(what))
        all.push_back(
            static_cast<std::uint32_t>(number(one, std::numeric_limits<std::uint32_t>::max(), "way")));
    return all;
}

/// Main, then each thread's parent, which was met before it, and its place among the parent's children.
void read_threads(const json& from, search_position& p) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint16_t>::max();
    if (!from.is_array() || from.empty() || from.size() > max_threads)
        refuse("it lists threads that no program has");
    for (const json& t : from) {
        if (!t.is_array() || t.size() != 2) refuse("it lists a thread without a name");
        const std::pair name{static_cast<std::uint16_t>(number(t[0], most, "thread")),
                             static_cast<std::uint16_t>(number(t[1], most, "thread"))};
        const bool main = p.threads.empty();
        if (main ? name != std::pair<std::uint16_t, std::uint16_t>{0, 0} : name.first >= p.threads.size())
            refuse("it lists a thread before its parent");
        if (std::find(p.threads.begin() + (main ? 0 : 1), p.threads.end(), name) != p.threads.end())
            refuse("it lists a thread twice");
        p.threads.push_back(name);
    }
}

search_position position_of(const json& from) {
    search_position p;
    p.ways = ways(from, "ways");
    p.ends = ways(from, "ends");
    if (p.ways.size() != p.ends.size()) refuse("it has a position that leads nowhere");
    for (std::size_t i = 0; i < p.ways.size(); ++i)
        if (p.ways[i] >= p.ends[i]) refuse("it has a position beyond its own end");
    return p;
}

/// Where the search was stopped.
search_position open_position_of(const json& from) {
    search_position p = position_of(from);
    if (p.ways.empty()) refuse("it has a position that leads nowhere");
    read_threads(from.at("threads"), p);
    return p;
}

/// Where it learnt something: perhaps before its first decision, or at its end, which has no threads.
search_position lesson_of(const json& from) {
    search_position p = position_of(from);
    const json& threads = from.at("threads");
    if (!p.ways.empty() || !threads.is_array() || !threads.empty()) read_threads(threads, p);
    return p;
}

/// Work is given away at the first decision that has any open: two positions part there, with nothing open before.
/// In their order it is enough to look at neighbours.
void refuse_overlap(std::vector<search_position> all) {
    std::sort(all.begin(), all.end(),
              [](const search_position& a, const search_position& b) { return a.ways < b.ways; });
    for (std::size_t k = 1; k < all.size(); ++k) {
        const search_position &a = all[k - 1], &b = all[k];
        const auto parted = static_cast<std::size_t>(
            std::mismatch(a.ways.begin(), a.ways.end(), b.ways.begin(), b.ways.end()).first - a.ways.begin());
        bool apart = parted < a.ways.size() && a.ends[parted] <= b.ways[parted];
        for (std::size_t i = 0; i < parted && apart; ++i)
            apart = a.ends[i] == a.ways[i] + 1 && b.ends[i] == b.ways[i] + 1;
        if (!apart) refuse("two of its positions overlap: executions would be counted twice");
    }
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
    r.pruned = count(from, "pruned");
    r.events = count(from, "events");
    r.longest = count(from, "longest");
    if (!from.at("seconds").is_number() || !(from.at("seconds") >= 0)) refuse("its seconds are no duration");
    r.seconds = from.at("seconds");
    r.covered = from.at("covered").get<std::set<std::string>>();
    r.bounds = from.at("bounds").get<std::vector<std::string>>();
    read_ledger(from.at("ledger"), r);
    if (!from.at("positions").is_array()) refuse("its positions are no list");
    for (const json& open : from.at("positions")) r.positions.push_back(open_position_of(open));
    if (!from.at("lessons").is_array()) refuse("its lessons are no list");
    for (const json& lesson : from.at("lessons")) r.lessons.push_back(lesson_of(lesson));
    refuse_overlap(r.positions);
    return s;
}

std::string with_checksum(const std::string& text) {
    return fmt::format("{{\n \"checksum\": \"{:016x}\",{}", hash_of(text), text);
}

/// The document, of which nothing is looked at before its checksum is right.
json checked_document(const std::string& text) {
    constexpr std::size_t head = sizeof "{\n \"checksum\": \"0123456789abcdef\"," - 1;
    if (!text.starts_with("{\n \"checksum\": \"") || text.size() <= head)
        refuse("it begins with no checksum: it is no checkpoint, or one of an older checker");
    if (with_checksum(text.substr(head)) != text)
        refuse("it is damaged: its checksum does not match (was it edited, or cut off?)");
    return json::parse(text);
}

void check_origin(const json& document, const command_options& options) {
    if (document.at("schema") != schema) refuse("it has another schema");
    if (document.at("checker") != command::version())
        refuse(fmt::format("it was written by checker {}, and this is {}", document.at("checker").dump(),
                           command::version()));
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
    json document{{"schema", schema},
                  {"checker", command::version()},
                  {"program", program_identity()},
                  {"options", shape_of(options)},
                  {"searches", json::array()}};
    for (const stopped_search& s : searches) document["searches"].push_back(to_json(s));
    const std::string text = document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
    command::write_text(with_checksum(text.substr(1)), path); // behind its brace
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
