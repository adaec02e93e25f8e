// SPDX-License-Identifier: Apache-2.0
#include <ringproof/silicon/a64/program.hpp>

#include "stronger.hpp"
#include "thread_run.hpp"
#include "weaker.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <type_traits>

namespace ringproof::silicon::a64 {
namespace {

class loaded_program final : public program {
  public:
    loaded_program(const std::string& path, const program_limits& limits)
        : image_(path), memory_(image_), limits_(limits) {
        const auto main = image_.address_of("__ringproof_main");
        if (!main) throw std::invalid_argument(path + ": it is not linked with the runtime");
        const history nothing;
        beginning_ = or_refuse([&] { return thread_run(0, nothing, all()).go_alone(*main); });
    }

    std::size_t threads() const override { return threads_; }

    std::shared_ptr<const run> run_thread(std::size_t thread, const history& past) override {
        thread_run r(thread, past, all());
        auto result = or_refuse([&] { return r.go(beginning_); });
        if (r.created() >= threads_) {
            threads_ = r.created() + 1;
            throw learnt("there are more threads");
        }
        return result;
    }

    word initial(std::uint64_t address) const override {
        word value;
        if (const std::uint32_t bytes = sharing_.bytes_at(address); bytes != 0)
            std::memcpy(&value.low, reinterpret_cast<const void*>(address), std::min(bytes, 8u));
        return value;
    }

    std::string instruction_text(std::uint64_t code) const override {
        if (!memory_.is_code(code)) return "";
        if (code_asks(code)) return "(the runtime)";
        return text_of(reinterpret_cast<const std::uint32_t*>(code));
    }

    source_place place(const traced_run& of, std::size_t event) const override {
        return line_at(of.code[event], of.called_at[event]);
    }

    std::string place_text(const traced_run& of, std::size_t event) const override {
        return place_of(of.code[event], of.called_at[event]);
    }

    std::vector<ordering> orderings() const override {
        std::vector<ordering> all;
        for (const auto& [code, calls] : code_.with_events()) {
            if (!memory_.is_code(code)) continue; // the start of a thread
            const instruction i = decode(reinterpret_cast<const std::uint32_t*>(code));
            if (a64::name_of(i).empty()) continue;
            ordering o{code, a64::name_of(i), place_of(code, calls), instruction_text(code), {}};
            for (const weaker_instruction& w : weaker_forms(i)) o.weaker.push_back(w.name);
            all.push_back(std::move(o));
        }
        return all;
    }

    void weaken(std::uint64_t code, std::optional<std::size_t> form) override {
        const instruction i = decode(reinterpret_cast<const std::uint32_t*>(code));
        code_.replace(code, form ? weaker_forms(i).at(*form).does : i);
    }

    std::string stronger_name(std::uint64_t code, added_order::kind how) const override {
        if (!memory_.is_code(code)) return "";
        const auto form = stronger_form(decode(reinterpret_cast<const std::uint32_t*>(code)), how);
        return form ? form->name : "";
    }
    void strengthen(std::uint64_t code, added_order::kind how) override {
        if (const auto form = stronger_form(code_.at(code), how)) code_.replace(code, form->does);
    }

    knowledge learnt_so_far() const override { return {threads_, sharing_.pieces()}; }
    void begin_with(const knowledge& learnt) override {
        threads_ = learnt.threads;
        sharing_.know(learnt.pieces);
    }

    std::uint64_t fingerprint() const override {
        std::uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
        const auto add = [&](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3u; };
        add(static_cast<std::uint64_t>(limits_.ends));
        for (const segment& s : image_.segments()) {
            for (unsigned shift = 0; shift < 64; shift += 8) add(s.address >> shift & 0xff);
            for (const std::byte b : s.bytes) add(std::to_integer<std::uint64_t>(b));
        }
        return hash;
    }

    std::string location_text(std::uint64_t address) const override {
        for (std::size_t thread = 1; thread < memory::most_threads; ++thread) {
            if (address == start_of(thread)) return fmt::format("thread {} exists", thread);
            if (address == end_of(thread)) return fmt::format("thread {} has ended", thread);
        }
        const memory::place where = memory_.at(address, 1);
        if (where.whose != memory::owner::thread) return image_.name_of(address);
        const bool heap = address >= memory_.heap(where.thread);
        return fmt::format("{:#x} ({} of thread {})", address, heap ? "heap" : "stack", where.thread);
    }

  private:
    /// Of the user's code; of what has no lines, such as the runtime, where that is called.
    source_place line_at(std::uint64_t code, const traced_run::call_pair& calls) const {
        if (!memory_.is_code(code)) return {};
        for (const std::uint64_t at : {code, calls[0], calls[1]})
            if (source_place line = memory_.is_code(at) ? image_.line_of(at) : source_place{};
                !line.file.empty())
                return line;
        return {};
    }
    std::string place_of(std::uint64_t code, const traced_run::call_pair& calls) const {
        if (!memory_.is_code(code)) return "";
        const source_place at = line_at(code, calls);
        if (at.file.empty()) return image_.name_of(code);
        return fmt::format("{}:{}", std::filesystem::path(at.file).filename().string(), at.line);
    }
    template <class Run>
    std::invoke_result_t<Run> or_refuse(const Run& runs) {
        try {
            return runs();
        } catch (const not_known_here& n) {
            throw std::invalid_argument(fmt::format(
                "{}: '{}': {}", place_of(n.code, n.calls),
                memory_.is_code(n.code) ? text_of(reinterpret_cast<const std::uint32_t*>(n.code)) : "",
                n.why));
        }
    }
    /// A call of the runtime is shown by what it does.
    static bool code_asks(std::uint64_t code) {
        return decode(reinterpret_cast<const std::uint32_t*>(code)).what == kind::call;
    }
    running all() { return {memory_, sharing_, code_, processor_, limits_}; }

    image image_;
    memory memory_;
    sharing sharing_;
    decoded_code code_;
    processor processor_;
    program_limits limits_;
    beginning beginning_;
    std::size_t threads_ = 1;
};

} // namespace

std::unique_ptr<program> program::load(const std::string& path, const program_limits& limits) {
    return std::make_unique<loaded_program>(path, limits);
}

} // namespace ringproof::silicon::a64
