// SPDX-License-Identifier: Apache-2.0
// libdw reads the running program's own debug information.

#include "symbols.hpp"

#include "members.hpp"
#include "objects.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <link.h>
#include <map>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <unordered_map>

namespace ringproof::verify {
namespace {

const char* file_of(Dwfl_Module* module) {
    const char* name =
        dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return name ? name : "";
}

/// The C and C++ libraries and what belongs to the compiler. Other libraries' headers, wherever they are
/// installed, are what is being checked.
bool is_system(std::string_view file) {
    return file.starts_with("/usr/include/x86_64-linux-gnu/") || file.starts_with("/usr/include/bits/") ||
           file.starts_with("/usr/lib/") || file.starts_with("/lib/") ||
           file.find("/ringproof/verify/std/") != std::string_view::npos ||
           (file.find("/verify/compat/") != std::string_view::npos && !file.ends_with("/waitable.hpp")) ||
           file.find("/include/c++/") != std::string_view::npos ||
           file.find("/lib/clang/") != std::string_view::npos;
}

} // namespace

std::string demangled(const char* name) {
    // The demangler reads types as well, and a C variable may be called "x", which is long long.
    if (!std::string_view(name).starts_with("_Z")) return name;
    int status = 0;
    char* plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string text = status == 0 && plain ? plain : name;
    std::free(plain);
    // A compiler that takes an object apart names the parts "name.0", "name.1".
    if (const auto dot = text.rfind('.'); status != 0 && text.starts_with("_Z") && dot != std::string::npos)
        return demangled(text.substr(0, dot).c_str()) + text.substr(dot);
    for (constexpr std::string_view unnamed = "(anonymous namespace)::";
         text.find(unnamed) != std::string::npos;)
        text.erase(text.find(unnamed), unnamed.size());
    return text;
}

namespace {

/// Compilers write paths relative to where they ran.
std::string resolved(const char* file, Dwarf_Die* unit) {
    if (!file) return "";
    Dwarf_Attribute attribute;
    const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (file[0] == '/' || !folder) return file;
    return fmt::format("{}/{}", folder, file);
}

Dwarf_Word unsigned_attribute(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
    return value;
}

} // namespace

/// Appends the inlined calls and blocks within `scope` that hold `pc`, the outermost first.
bool search_scopes(Dwarf_Die* within, Dwarf_Addr pc, std::vector<Dwarf_Die>& path) {
    Dwarf_Die child;
    if (dwarf_child(within, &child) != 0) return false;
    do {
        const int tag = dwarf_tag(&child);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
        path.push_back(child);
        if (dwarf_haspc(&child, pc) > 0) {
            search_scopes(&child, pc, path);
            return true;
        }
        // A block may say nothing of its range and still hold calls that do.
        if (search_scopes(&child, pc, path)) return true;
        path.pop_back();
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/// Calls f(begin, end) for each range of code of `die`.
template <class Function>
void each_range(Dwarf_Die* die, Function f) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;) f(begin, end);
}

/// Which DIE holds an address. libdw finds that out anew each time, over the whole unit.
class address_index {
  public:
    void add(Dwarf_Die die) {
        each_range(&die, [&](Dwarf_Addr begin, Dwarf_Addr end) {
            if (begin < end) ranges_[begin] = {end, die};
        });
    }
    const Dwarf_Die* find(Dwarf_Addr pc) const {
        auto at = ranges_.upper_bound(pc);
        return at == ranges_.begin() || (--at)->second.first <= pc ? nullptr : &at->second.second;
    }

  private:
    std::map<Dwarf_Addr, std::pair<Dwarf_Addr, Dwarf_Die>> ranges_; ///< by their begins
};

void collect_functions(Dwarf_Die* within, address_index& to) {
    Dwarf_Die child;
    if (dwarf_child(within, &child) != 0) return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
            to.add(child);
            collect_functions(&child, to); // of a local class
            break;
        case DW_TAG_namespace:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_lexical_block:
            collect_functions(&child, to);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

/// The line of `pc`. Code that the compiler merged has line 0; then the nearest line of the user's before it.
source_position line_at(Dwarf_Die* unit, Dwarf_Addr pc) {
    source_position here;
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return here;
    Dwarf_Line* exact = dwarf_getsrc_die(unit, pc);
    Dwarf_Addr address = 0;
    std::size_t at = count;
    while (exact && at > 0 && dwarf_onesrcline(lines, at - 1) != exact) --at;
    for (std::size_t steps = 0; exact && at > 0 && steps < 32; --at, ++steps) {
        Dwarf_Line* line = dwarf_onesrcline(lines, at - 1);
        dwarf_lineno(line, &here.line);
        here.file = resolved(dwarf_linesrc(line, nullptr, nullptr), unit);
        if (here.line > 0 && (steps == 0 || !is_system(here.file))) return here;
        if (dwarf_lineaddr(line, &address) != 0 || address + 256 < pc) break;
    }
    return {};
}

struct symbols::state {
    Dwfl_Callbacks callbacks{};
    Dwfl* dwfl = nullptr;
    char* debug_path = nullptr;
    Dwfl_Module* own = nullptr; ///< the checker, whose lines are not the user's

    // What was looked up before. A run has thousands of events, made of few addresses.
    struct unit_index {
        Dwarf_Die unit;
        address_index functions;
    };
    struct module_index {
        Dwarf_Addr bias = 0;
        address_index units;
        std::map<Dwarf_Off, unit_index> functions; ///< by their unit's offset
        std::optional<std::map<std::uint64_t, Dwarf_Die>> variables;
    };
    mutable std::map<Dwfl_Module*, module_index> modules;
    mutable std::unordered_map<std::uintptr_t, std::vector<source_position>> known_positions;
    mutable std::map<std::array<std::uintptr_t, 2>, std::string> known_variables;
    mutable std::map<std::array<std::uintptr_t, 4>, std::string> known_locals;
    mutable std::map<std::pair<std::vector<std::uintptr_t>, std::uint64_t>, std::optional<made_object>>
        known_objects;

    module_index& index_of(Dwfl_Module* module) const;
    const std::map<std::uint64_t, Dwarf_Die>& variables_of(Dwfl_Module* module) const;
    /// The unit of `pc` with its functions, or null.
    unit_index* unit_at(Dwfl_Module* module, std::uintptr_t pc, Dwarf_Addr& bias) const;

    /// Positions of `pc`, the innermost inlined call first.
    const std::vector<source_position>& positions(std::uintptr_t pc) const;
    std::vector<source_position> find_positions(std::uintptr_t pc) const;
    std::string find_variable(std::uintptr_t address, std::uint64_t size) const;
    std::string find_thread_local(std::uintptr_t address) const;
    std::string find_local(std::uintptr_t pc, frame_place place, std::uint64_t size) const;
    std::optional<made_object> find_object(const std::vector<std::uintptr_t>& return_addresses,
                                           std::uint64_t bytes) const;
};

/// The functions, inlined calls and blocks that hold `pc`, the outermost first.
std::vector<Dwarf_Die> scopes_at(const address_index& functions, Dwarf_Addr pc) {
    std::vector<Dwarf_Die> path;
    if (const Dwarf_Die* function = functions.find(pc)) {
        path.push_back(*function);
        search_scopes(&path.front(), pc, path);
    }
    return path;
}

symbols::symbols() : state_(std::make_unique<state>()) {
    state& s = *state_;
    s.callbacks.find_elf = dwfl_linux_proc_find_elf;
    s.callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
    s.callbacks.debuginfo_path = &s.debug_path;
    // No download of debug information of system libraries in the middle of a verdict.
    setenv("DEBUGINFOD_URLS", "", 1);
    s.dwfl = dwfl_begin(&s.callbacks);
    if (!s.dwfl) return;
    dwfl_report_begin(s.dwfl);
    if (dwfl_linux_proc_report(s.dwfl, getpid()) != 0) return;
    dwfl_report_end(s.dwfl, nullptr, nullptr);
    s.own = dwfl_addrmodule(s.dwfl, reinterpret_cast<Dwarf_Addr>(&is_system));
}

symbols::~symbols() {
    if (state_->dwfl) dwfl_end(state_->dwfl);
}

symbols::state::module_index& symbols::state::index_of(Dwfl_Module* module) const {
    const auto [at, fresh] = modules.try_emplace(module);
    module_index& index = at->second;
    if (!fresh) return index;
    dwfl_module_getdwarf(module, &index.bias);
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &index.bias));)
        index.units.add(*unit);
    return index;
}

symbols::state::unit_index* symbols::state::unit_at(Dwfl_Module* module, std::uintptr_t pc,
                                                    Dwarf_Addr& bias) const {
    module_index& index = index_of(module);
    bias = index.bias;
    const Dwarf_Die* unit = index.units.find(pc - bias);
    if (!unit) return nullptr;
    Dwarf_Die die = *unit;
    const auto [at, fresh] = index.functions.try_emplace(dwarf_dieoffset(&die));
    if (fresh) {
        at->second.unit = die;
        collect_functions(&die, at->second.functions);
    }
    return &at->second;
}

const std::vector<source_position>& symbols::state::positions(std::uintptr_t pc) const {
    const auto [at, fresh] = known_positions.try_emplace(pc);
    if (fresh) at->second = find_positions(pc);
    return at->second;
}

std::vector<source_position> symbols::state::find_positions(std::uintptr_t pc) const {
    std::vector<source_position> found;
    Dwfl_Module* module = dwfl ? dwfl_addrmodule(dwfl, pc) : nullptr;
    Dwarf_Addr bias = 0;
    unit_index* index =
        module && module != own && !is_system(file_of(module)) ? unit_at(module, pc, bias) : nullptr;
    if (!index) return found;
    Dwarf_Die* unit = &index->unit;
    source_position here = line_at(unit, pc - bias);
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    dwarf_getsrcfiles(unit, &files, &file_count);
    std::vector<Dwarf_Die> scopes = scopes_at(index->functions, pc - bias);
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
        const int tag = dwarf_tag(&*scope);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        here.function = die_name(&*scope);
        found.push_back(here);
        if (tag == DW_TAG_subprogram) break;
        const Dwarf_Word file = unsigned_attribute(&*scope, DW_AT_call_file);
        here.file = resolved(dwarf_filesrc(files, file, nullptr, nullptr), unit);
        here.line = static_cast<int>(unsigned_attribute(&*scope, DW_AT_call_line));
    }
    if (found.empty()) found.push_back(here);
    return found;
}

source_position symbols::position(const std::vector<std::uintptr_t>& return_addresses) const {
    bool direct = true;
    std::string through;
    for (const std::uintptr_t address : return_addresses)
        for (source_position p : state_->positions(address - 1)) {
            if (p.known() && p.line > 0 && !is_system(p.file)) {
                p.direct = direct;
                p.through = through;
                return p;
            }
            direct = false;
            through = p.file.substr(p.file.rfind('/') + 1);
        }
    return {};
}

std::vector<source_position> symbols::positions(const std::vector<std::uintptr_t>& return_addresses) const {
    std::vector<source_position> all;
    for (const std::uintptr_t address : return_addresses)
        for (const source_position& p : state_->positions(address - 1))
            if (p.known() && p.line > 0 && !is_system(p.file)) all.push_back(p);
    return all;
}

std::vector<std::string> symbols::functions(std::uintptr_t return_address) const {
    std::vector<std::string> names;
    for (const source_position& p : state_->positions(return_address - 1)) names.push_back(p.function);
    return names;
}

bool symbols::is_in_timed_wait(std::uintptr_t return_address) const {
    // A function of the program may have such a name, too.
    if (const source_position at = position({return_address}); at.known() && at.direct) return false;
    for (const std::string& function : functions(return_address))
        for (const std::string_view wait : {"wait_for", "wait_until", "try_lock_for", "try_lock_until",
                                            "try_lock_shared_for", "try_lock_shared_until", "try_acquire_for",
                                            "try_acquire_until", "wait_address_for", "wait_address_until"})
            if (function.find(wait) != std::string::npos) return true;
    return false;
}

std::string symbols::variable(std::uintptr_t address, std::uint64_t size) const {
    const auto [at, fresh] = state_->known_variables.try_emplace({address, size});
    if (fresh) at->second = state_->find_variable(address, size);
    return at->second;
}

std::string symbols::state::find_variable(std::uintptr_t address, std::uint64_t size) const {
    Dwfl_Module* module = dwfl ? dwfl_addrmodule(dwfl, address) : nullptr;
    if (!module) return find_thread_local(address);
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    const char* name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (!name || (symbol.st_size != 0 && offset >= symbol.st_size)) return "";
    const std::string base = demangled(name);
    const auto& known = variables_of(module);
    if (auto found = known.find(address - offset - index_of(module).bias); found != known.end()) {
        Dwarf_Die die = found->second;
        const member_place at = member_of(&die, {offset, size});
        if (!at.path.empty() || at.size != 0 || offset == 0) return at.of(base + at.path);
    }
    return offset == 0 ? base : fmt::format("{}+{:#x}", base, offset);
}

/// Of the executable's, in the storage of the thread that asks.
std::string symbols::state::find_thread_local(std::uintptr_t address) const {
    struct storage {
        std::uintptr_t begin = 0, size = 0, code = 0;
    } found;
    const auto look = [](dl_phdr_info* info, std::size_t, void* to) {
        storage& s = *static_cast<storage*>(to);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& segment = info->dlpi_phdr[i];
            if (segment.p_type == PT_TLS && info->dlpi_tls_data)
                s.begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data), s.size = segment.p_memsz;
            if (segment.p_type == PT_LOAD && s.code == 0) s.code = info->dlpi_addr + segment.p_vaddr;
        }
        return 1; // the first object is the executable: stop
    };
    dl_iterate_phdr(look, &found);
    Dwfl_Module* module = dwfl ? dwfl_addrmodule(dwfl, found.code) : nullptr;
    if (!module || address < found.begin || address >= found.begin + found.size) return "";
    const std::uintptr_t wanted = address - found.begin;
    for (int i = 0, count = dwfl_module_getsymtab(module); i < count; ++i) {
        GElf_Sym symbol{};
        GElf_Addr value = 0;
        const char* name = dwfl_module_getsym_info(module, i, &symbol, &value, nullptr, nullptr, nullptr);
        if (!name || GELF_ST_TYPE(symbol.st_info) != STT_TLS || wanted < symbol.st_value ||
            wanted >= symbol.st_value + symbol.st_size)
            continue;
        const std::uintptr_t offset = wanted - symbol.st_value;
        return offset == 0 ? demangled(name) : fmt::format("{}+{:#x}", demangled(name), offset);
    }
    return "";
}

const std::map<std::uint64_t, Dwarf_Die>& symbols::state::variables_of(Dwfl_Module* module) const {
    module_index& index = index_of(module);
    if (index.variables) return *index.variables;
    index.variables.emplace();
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias));)
        collect_variables(unit, *index.variables);
    return *index.variables;
}

std::string symbols::local(std::uintptr_t return_address, std::uintptr_t below, std::uintptr_t above,
                           std::uint64_t size) const {
    const std::uintptr_t pc = return_address - 1;
    const auto [at, fresh] = state_->known_locals.try_emplace({pc, below, above, size});
    if (fresh) at->second = state_->find_local(pc, {below, above}, size);
    return at->second;
}

std::string symbols::state::find_local(std::uintptr_t pc, frame_place place, std::uint64_t size) const {
    Dwfl_Module* module = dwfl ? dwfl_addrmodule(dwfl, pc) : nullptr;
    Dwarf_Addr bias = 0;
    const unit_index* index = module ? unit_at(module, pc, bias) : nullptr;
    if (!index) return "";
    std::vector<Dwarf_Die> scopes = scopes_at(index->functions, pc - bias);
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
        if (dwarf_tag(&*scope) == DW_TAG_subprogram) return local_variable(&*scope, pc - bias, place, size);
    return "";
}

const made_object* symbols::object(const std::vector<std::uintptr_t>& return_addresses,
                                   std::uint64_t bytes) const {
    const auto [at, fresh] = state_->known_objects.try_emplace({return_addresses, bytes});
    if (fresh) at->second = state_->find_object(return_addresses, bytes);
    return at->second ? &*at->second : nullptr;
}

std::string symbols::type_name(const made_object& object) {
    Dwarf_Die type = object.type;
    return die_name(&type);
}

/// By the innermost line of the user's own.
std::optional<made_object> symbols::state::find_object(const std::vector<std::uintptr_t>& return_addresses,
                                                       std::uint64_t bytes) const {
    for (const std::uintptr_t address : return_addresses) {
        const std::vector<source_position>& calls = positions(address - 1);
        const auto user = std::find_if(calls.begin(), calls.end(), [](const source_position& p) {
            return p.known() && p.line > 0 && !is_system(p.file);
        });
        if (user == calls.end()) continue;
        Dwarf_Addr bias = 0;
        const unit_index* index = unit_at(dwfl_addrmodule(dwfl, address - 1), address - 1, bias);
        if (!index) return std::nullopt;
        // What is inlined into that line is no scope of it.
        std::vector<Dwarf_Die> scopes = scopes_at(index->functions, address - 1 - bias);
        for (auto inlined = user - calls.begin(); !scopes.empty() && inlined > 0;) {
            if (dwarf_tag(&scopes.back()) == DW_TAG_inlined_subroutine) --inlined;
            scopes.pop_back();
        }
        return object_made_by(statement_at(user->file, user->line), std::move(scopes), index->unit, bytes);
    }
    return std::nullopt;
}

} // namespace ringproof::verify
