// SPDX-License-Identifier: Apache-2.0
// g++ announces the loads and stores of assignments, and not those of calls: where `object = function();` gets a structure in
// registers or by a copy, and where `function(object)` takes one by value. (clang makes loads and stores of them first.) So
// races of such accesses would be out of sight. They are announced here, in the listing.
//
// What is announced. Each load between a call and the last call, jump or label before it; and each store between a call
// and the next call, jump or label. What the compiler has announced stands behind a call of its own, so that there are
// few others. The load that the compiler has just announced is not announced again: a volatile one is none of plain memory,
// and of a plain one a report would show two. Where the listing writes its address in another way than the compiler's call,
// the checker compares the two ("reads_again"). No load is there that the source does not make: the
// compiler moves loads over branches only where nothing is announced in them, and then before branches.
//
// Left out is what no other thread can know: what lies on the stack and whose address the function never takes,
// constants, and tables that the linker fills in.

#include "announce.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <utility>

namespace ringproof::verify {
namespace {

std::string_view trimmed(std::string_view s) {
    const auto first = s.find_first_not_of(" \t");
    if (first == s.npos) return {};
    return s.substr(first, s.find_last_not_of(" \t") + 1 - first);
}

struct instruction_text {
    std::string_view mnemonic;
    std::vector<std::string_view> operands;
};

instruction_text parse(std::string_view line) {
    line = trimmed(line.substr(0, line.find('#')));
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    instruction_text i{line.substr(0, end), {}};
    std::string_view rest = trimmed(line.substr(end));
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t k = 0; k <= rest.size() && !rest.empty(); ++k) {
        if (k < rest.size() && rest[k] == '(') ++depth;
        if (k < rest.size() && rest[k] == ')') --depth;
        if (k < rest.size() && (rest[k] != ',' || depth != 0)) continue;
        i.operands.push_back(trimmed(rest.substr(from, k - from)));
        from = k + 1;
    }
    return i;
}

bool is_call(const instruction_text& i) { return i.mnemonic == "call" || i.mnemonic == "callq"; }

/// Whether a call, or a jump to another function, announces something itself.
bool announces(const instruction_text& i) {
    return i.operands.size() == 1 &&
           (i.operands[0].starts_with("__tsan_") || i.operands[0].starts_with("*__tsan_"));
}

/// A jump to the beginning of another function is its call.
bool is_last_call(const instruction_text& i) {
    return (i.mnemonic == "jmp" || i.mnemonic == "jmpq") && i.operands.size() == 1 &&
           !i.operands[0].starts_with(".L") && !i.operands[0].starts_with('*');
}

/// A label to which jumps may go: not those of debug information and of tables of exceptions.
bool is_target(std::string_view line) {
    if (line.empty() || line.back() != ':') return false;
    return !line.starts_with(".L") || (line.size() > 3 && line[2] >= '0' && line[2] <= '9');
}

bool is_memory(std::string_view operand) {
    return !operand.empty() && operand.front() != '%' && operand.front() != '$' && operand.front() != '*';
}

bool ends_in_any(std::string_view s, std::initializer_list<std::string_view> ends) {
    return std::any_of(ends.begin(), ends.end(), [&](auto e) { return s.ends_with(e); });
}
bool is_any(std::string_view s, std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), s) != all.end();
}

std::size_t bytes_of_letter(char letter) {
    switch (letter) {
    case 'b':
        return 1;
    case 'w':
        return 2;
    case 'l':
        return 4;
    case 'q':
        return 8;
    default:
        return 0;
    }
}

/// Bytes that a general register has: %rax, %r8; %eax, %r8d.
std::size_t bytes_of_register(std::string_view name) {
    if (name.starts_with("%e") || (name.starts_with("%r") && name.ends_with('d'))) return 4;
    return name.starts_with("%r") && !name.ends_with('w') && !name.ends_with('b') ? 8 : 0;
}

/// Bytes of memory that the instruction accesses; 0: that is not known.
std::size_t size_of(const instruction_text& i) {
    std::string_view m = i.mnemonic;
    for (const std::string_view o : i.operands) // whose upper halves an announcement may lose
        if (o.starts_with("%ymm") || o.starts_with("%zmm")) return 0;
    if (m.starts_with("cmov")) return bytes_of_register(i.operands.back());
    if (m.starts_with("set")) return 1;
    if (m.front() == 'v') m.remove_prefix(1);
    if (m.size() == 6 && (m.starts_with("movs") || m.starts_with("movz"))) return bytes_of_letter(m[4]);
    if (is_any(m, {"movaps", "movups", "movapd", "movupd", "movdqa", "movdqu"})) return 16;
    if (is_any(m, {"movlps", "movhps", "movlpd", "movhpd", "fldl", "fstl", "fstpl"})) return 8;
    if (is_any(m, {"movd", "flds", "fsts", "fstps"})) return 4;
    if (is_any(m, {"fldt", "fstpt"})) return 10;
    if (ends_in_any(m, {"sd", "si2sdq", "si2ssq"})) return 8;
    if (ends_in_any(m, {"ss", "si2sdl", "si2ssl"})) return 4;
    if (ends_in_any(m, {"ps", "pd"}) || m.starts_with("pxor") || m.starts_with("punpck")) return 16;
    for (const std::string_view plain :
         {"mov",  "add", "sub", "and", "or",  "xor", "adc", "sbb", "imul", "mul", "div", "idiv", "cmp",
          "test", "not", "neg", "inc", "dec", "shl", "sal", "sar", "shr",  "rol", "ror", "push", "pop"})
        if (m.size() == plain.size() + 1 && m.starts_with(plain)) return bytes_of_letter(m.back());
    return 0;
}

bool only_reads(std::string_view m) {
    return m.starts_with("cmp") || m.starts_with("test") || m.starts_with("push") || m.starts_with("fld") ||
           m.starts_with("mul") || m.starts_with("div") || m.starts_with("idiv") || m.starts_with("ucomis") ||
           m.starts_with("comis");
}

/// A read that the compiler has announced.
struct known_read {
    std::string address, same_address; ///< how the listing may write it
    std::size_t size = 0;              ///< 0: there is none
    bool is_volatile = false;
    bool is(std::string_view at, std::size_t bytes) const {
        return size != 0 && bytes == size && (at == address || at == same_address);
    }
};

struct access {
    std::string_view address;
    std::size_t size = 0;
    bool write = false;
};

std::optional<access> access_of(const instruction_text& i) {
    const std::string_view m = i.mnemonic;
    if (m.starts_with("lea") || m.starts_with("nop") || m.starts_with("prefetch") || m.front() == 'j')
        return {};
    for (const std::string_view o : i.operands)
        if (is_memory(o)) return access{o, size_of(i), o == i.operands.back() && !only_reads(m)};
    return {};
}

/// What stands in the listing from one target of jumps to the next, and all that is known of its function.
class function_lines {
  public:
    /// The functions' locals whose addresses it takes, by the distance from its frame: `leaq -24(%rbp), %rdi`.
    void note_address(const instruction_text& i) {
        if (i.mnemonic != "leaq" || i.operands.empty() || !i.operands[0].ends_with("(%rbp)")) return;
        known_.push_back(std::atol(std::string(i.operands[0]).c_str()));
    }
    /// Whether another thread may know what is there.
    bool may_be_known(std::string_view address) const {
        if (address.find(':') != address.npos || address.find('@') != address.npos ||
            address.starts_with(".LC") || address.find("%rsp") != address.npos)
            return false;
        if (!address.ends_with("(%rbp)")) return true;
        constexpr long in_registers = 16; // bytes of an object that a call returns or takes there
        const long at = std::atol(std::string(address).c_str());
        return std::any_of(known_.begin(), known_.end(),
                           [&](long known) { return known <= at && at < known + in_registers; });
    }

  private:
    std::vector<long> known_;
};

/// @param call what of the checker is called: "reads", "writes", or "reads_again" where it may have been told
void add_announcement(std::vector<std::string>& to, const std::string& address, const std::string& size,
                      const char* call) {
    to.emplace_back("\tpushq\t%rdi");
    to.emplace_back("\tpushq\t%rsi");
    to.push_back(fmt::format("\tleaq\t{}, %rdi", address));
    to.push_back(size);
    to.push_back(fmt::format("\tcall\t__ringproof_{}@PLT", call));
    to.emplace_back("\tpopq\t%rsi");
    to.emplace_back("\tpopq\t%rdi");
}

/// "rep movsq" and the like, which copy `%rcx` units from where `%rsi` leads to where `%rdi` does.
bool add_announced_copy(std::vector<std::string>& to, const instruction_text& i) {
    if (i.mnemonic != "rep" || i.operands.size() != 1) return false;
    const std::string_view what = i.operands[0];
    const std::size_t unit = bytes_of_letter(what.back());
    if (unit == 0 || (!what.starts_with("movs") && !what.starts_with("stos"))) return false;
    const std::string size = fmt::format("\tleaq\t(,%rcx,{}), %rsi", unit);
    if (what.starts_with("movs")) add_announcement(to, "(%rsi)", size, "reads");
    add_announcement(to, "(%rdi)", size, "writes");
    return true;
}

class announcing {
  public:
    explicit announcing(const std::vector<std::string>& lines) : lines_(lines), before_(lines.size()) {}

    std::vector<std::string> all() {
        for (std::size_t k = 0; k < lines_.size(); ++k) look_at_line(k);
        std::vector<std::string> made;
        for (std::size_t k = 0; k < lines_.size(); ++k) {
            made.insert(made.end(), before_[k].begin(), before_[k].end());
            made.push_back(lines_[k]);
        }
        return made;
    }

  private:
    void look_at_line(std::size_t k) {
        const std::string_view line = trimmed(lines_[k]);
        if (line.starts_with("#APP") || line.starts_with("#NO_APP")) in_assembly_ = line.starts_with("#APP");
        if (line.empty() || in_assembly_ || line.front() == '#') return;
        if (is_target(line)) {
            if (!line.starts_with(".L")) begin_function(k);
            return end_window(k, false);
        }
        if (line.front() == '.' || line.back() == ':') return;
        const instruction_text i = parse(line);
        if (is_call(i) || is_last_call(i)) {
            if (!announces(i)) announce_loads(k);
            known_read told = announces(i) ? read_told_by(k, i.operands[0]) : known_read{};
            end_window(k, is_call(i) && !announces(i));
            told_ = std::move(told);
            return;
        }
        if (i.mnemonic.front() == 'j') return end_window(k, false);
        if (after_call_) announce_at(k, i, true);
    }
    void begin_function(std::size_t k) {
        function_ = {};
        for (++k; k < lines_.size(); ++k) {
            const std::string_view line = trimmed(lines_[k]);
            if (is_target(line) && !line.starts_with(".L")) return;
            if (!line.empty() && line.front() != '.' && line.front() != '#')
                function_.note_address(parse(line));
        }
    }
    void end_window(std::size_t k, bool after_call) {
        begin_ = k + 1;
        after_call_ = after_call;
        told_ = {};
    }
    /// What the compiler has announced to be read behind a call, as "__tsan_read8@PLT" in line `k`.
    known_read read_told_by(std::size_t k, std::string_view called) const {
        called = called.substr(0, called.find('@'));
        if (called.find("read") == called.npos) return {};
        known_read told;
        told.size = static_cast<std::size_t>(
            std::atol(std::string(called.substr(called.find_last_not_of("0123456789") + 1)).c_str()));
        told.is_volatile = called.find("volatile") != called.npos;
        std::string_view from = "%rdi"; // the register with the address
        while (k-- > begin_) {
            const std::string_view line = trimmed(lines_[k]);
            if (line.empty() || line.front() == '.' || line.front() == '#') continue;
            const instruction_text i = parse(line);
            if (i.operands.size() != 2 || i.operands[1] != from) continue;
            if (i.mnemonic == "leaq") told.same_address = i.operands[0];
            if (i.mnemonic != "movq" || i.operands[0].front() != '%' || !told.address.empty()) break;
            told.address = fmt::format("({})", i.operands[0]);
            from = i.operands[0];
        }
        return told;
    }
    void announce_loads(std::size_t call) {
        std::vector<std::pair<std::size_t, instruction_text>> all;
        bool assembly = false;
        for (std::size_t k = begin_; k < call; ++k) {
            const std::string_view line = trimmed(lines_[k]);
            if (line.starts_with("#APP") || line.starts_with("#NO_APP")) assembly = line.starts_with("#APP");
            if (line.empty() || assembly || line.front() == '#' || line.front() == '.' || line.back() == ':')
                continue;
            all.emplace_back(k, parse(line));
        }
        // Where the listing writes the address of a volatile object in a way that is not foreseen, it is the first load of
        // that size.
        const auto told_first = [&](bool by_size) {
            return std::find_if(all.begin(), all.end(), [&](const auto& one) {
                const std::optional<access> a = access_of(one.second);
                return a && !a->write && (by_size ? a->size == told_.size : told_.is(a->address, a->size));
            });
        };
        auto told = told_first(false);
        if (told == all.end() && told_.is_volatile) told = told_first(true);
        for (auto one = all.begin(); one != all.end(); ++one)
            if (one != told) announce_at(one->first, one->second, false);
    }
    void announce_at(std::size_t k, const instruction_text& i, bool stores) {
        if (!before_[k].empty() || add_announced_copy(before_[k], i)) return;
        const std::optional<access> a = access_of(i);
        if (!a || a->write != stores || !function_.may_be_known(a->address)) return;
        if (a->size == 0)
            before_[k].emplace_back(not_announced);
        else
            add_announcement(before_[k], std::string(a->address), fmt::format("\tmovl\t${}, %esi", a->size),
                             a->write                ? "writes"
                             : a->size == told_.size ? "reads_again"
                                                     : "reads");
    }

    const std::vector<std::string>& lines_;
    std::vector<std::vector<std::string>> before_; ///< what is put before each line
    function_lines function_;
    known_read told_;
    std::size_t begin_ = 0; ///< of the lines since the last call, jump or label
    bool after_call_ = false;
    bool in_assembly_ = false;
};

} // namespace

std::vector<std::string> announced(const std::vector<std::string>& lines) { return announcing(lines).all(); }

void announce(const std::filesystem::path& listing) {
    std::vector<std::string> lines;
    {
        std::ifstream in(listing);
        for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
    }
    std::ofstream out(listing);
    for (const std::string& line : announced(lines)) out << line << '\n';
}

} // namespace ringproof::verify
