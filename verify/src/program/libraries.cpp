// SPDX-License-Identifier: Apache-2.0
#include "libraries.hpp"

#include "dynamic_section.hpp"
#include "early_heap.hpp"
#include "memory.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {
namespace {

/// A loaded object, as far as it says whom it needs.
struct object {
    std::uintptr_t dynamic = 0; ///< where its dynamic section is, which names it here
    std::string_view name;
    std::vector<std::string_view> needed;
    bool engine = false, executable = false, thread_locals = false;
    bool of_engine = false, of_program = false;
};

std::string_view file_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

int collect(dl_phdr_info* info, std::size_t, void* to) {
    auto& all = *static_cast<std::vector<object>*>(to);
    object o;
    const ElfW(Dyn)* const dynamic = dynamic_of(*info);
    if (!dynamic) return 0;
    o.dynamic = reinterpret_cast<std::uintptr_t>(dynamic);
    o.executable = all.empty(); // as the first one always is
    std::uintptr_t strings = 0;
    for (const ElfW(Dyn)* e = dynamic; e->d_tag != DT_NULL; ++e)
        if (e->d_tag == DT_STRTAB) strings = e->d_un.d_ptr;
    strings = loaded_address(*info, strings);
    const auto text = [&](std::uintptr_t at) {
        return std::string_view(reinterpret_cast<const char*>(strings + at));
    };
    o.name = file_of(info->dlpi_name);
    for (const ElfW(Dyn)* e = dynamic; e->d_tag != DT_NULL; ++e) {
        if (e->d_tag == DT_SONAME) o.name = text(e->d_un.d_val);
        if (e->d_tag == DT_NEEDED) o.needed.push_back(file_of(text(e->d_un.d_val)));
    }
    for (int i = 0; i < info->dlpi_phnum; ++i)
        o.thread_locals = o.thread_locals || info->dlpi_phdr[i].p_type == PT_TLS;
    const memory_range own = engine_code();
    for (int i = 0; i < info->dlpi_phnum; ++i)
        o.engine = o.engine || (info->dlpi_phdr[i].p_type == PT_LOAD &&
                                own.begin == info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    all.push_back(std::move(o));
    return 0;
}

void mark(std::vector<object>& all, object& from, bool object::*as) {
    if (from.*as) return;
    from.*as = true;
    for (const std::string_view name : from.needed)
        for (object& o : all)
            if (o.name == name) mark(all, o, as);
}

std::vector<object> all_objects() {
    std::vector<object> all;
    dl_iterate_phdr(collect, &all);
    for (object& o : all) {
        if (o.engine) mark(all, o, &object::of_engine);
        if (o.executable) mark(all, o, &object::of_program);
    }
    return all;
}

/// Which objects are a part of the program. Looking at all of them for each takes long, so the answers are kept until more is
/// loaded. It allocates nothing, as `sections`.
struct known_answers {
    struct answer {
        std::uintptr_t dynamic;
        bool yes;
    };
    std::array<answer, 256> all;
    std::size_t count;
    unsigned long long when; ///< loads and unloads by then

    const answer* find(std::uintptr_t dynamic, unsigned long long now) {
        if (when != now) count = 0, when = now;
        const auto at = std::find_if(all.begin(), all.begin() + count,
                                     [&](const answer& a) { return a.dynamic == dynamic; });
        return at == all.begin() + count ? nullptr : &*at;
    }
    bool add(std::uintptr_t dynamic, bool yes) {
        if (count < all.size()) all[count++] = {dynamic, yes};
        return yes;
    }
};
constinit known_answers parts{};

const object* find(const std::vector<object>& all, const dl_phdr_info& asked) {
    const auto dynamic = reinterpret_cast<std::uintptr_t>(dynamic_of(asked));
    const auto at =
        std::find_if(all.begin(), all.end(), [dynamic](const object& o) { return o.dynamic == dynamic; });
    return at == all.end() ? nullptr : &*at;
}

struct asked {
    std::string file;
    int mode;
    bool loaded, thread_locals;
};
// Of the process: what one search has loaded is there in the next.
std::vector<asked>& what_was_asked() {
    static std::vector<asked> all;
    return all;
}
/// Dynamic sections of what came with them.
std::vector<std::uintptr_t>& what_came() {
    static std::vector<std::uintptr_t> all;
    return all;
}

/// Dynamic sections of some objects. It allocates nothing: before main() that would be the program's memory.
struct sections {
    std::array<std::uintptr_t, 256> at;
    std::size_t count;
    bool has(std::uintptr_t section) const {
        return std::find(at.begin(), at.begin() + count, section) != at.begin() + count;
    }
    void add(std::uintptr_t section) {
        if (count < at.size()) at[count++] = section;
    }
};
constinit sections came_before_main{};

sections all_sections() {
    sections all{};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            static_cast<sections*>(to)->add(reinterpret_cast<std::uintptr_t>(dynamic_of(*info)));
            return 0;
        },
        &all);
    return all;
}

} // namespace

void* load_before_main(const char* file, int mode) {
    const sections before = all_sections();
    void* const handle = dlopen(file, mode);
    const sections after = all_sections();
    for (std::size_t i = 0; i < after.count; ++i)
        if (!before.has(after.at[i])) came_before_main.add(after.at[i]);
    parts.count = 0;
    return handle;
}

bool is_part_of_program(const dl_phdr_info& object_asked) {
    const auto dynamic = reinterpret_cast<std::uintptr_t>(dynamic_of(object_asked));
    if (const auto* known = parts.find(dynamic, object_asked.dlpi_adds + object_asked.dlpi_subs))
        return known->yes;
    const std::vector<object> all = all_objects();
    const object* const o = find(all, object_asked);
    const auto& came = what_came();
    return parts.add(dynamic, o && (o->executable || (o->of_program && !o->of_engine) ||
                                    came_before_main.has(o->dynamic) ||
                                    std::find(came.begin(), came.end(), o->dynamic) != came.end()));
}

bool is_needed_by_engine(const dl_phdr_info& object_asked) {
    const std::vector<object> all = all_objects();
    const object* const o = find(all, object_asked);
    return o && o->of_engine;
}

bool was_asked_for(const char* file, int mode) {
    for (const asked& a : what_was_asked())
        if (a.file == file && a.mode == mode) return a.loaded;
    what_was_asked().push_back({file, mode, false, false});
    return false;
}

bool brought_thread_locals(const char* file) {
    for (const asked& a : what_was_asked())
        if (a.file == file && a.thread_locals) return true;
    return false;
}

bool load_what_was_asked_for() {
    bool any = false;
    for (asked& a : what_was_asked()) {
        if (a.loaded) continue;
        a.loaded = any = true;
        const std::vector<object> before = all_objects();
        {
            const early_heap::loading static_objects;
            dlopen(a.file.c_str(),
                   a.mode | RTLD_NODELETE); // where it fails, the program is told when it asks again
        }
        for (const object& o : all_objects()) {
            const auto same = [&](const object& b) { return b.dynamic == o.dynamic; };
            if (std::any_of(before.begin(), before.end(), same)) continue;
            what_came().push_back(o.dynamic);
            parts.count = 0;
            a.thread_locals = a.thread_locals || o.thread_locals;
        }
    }
    return any;
}

} // namespace ringproof::verify
