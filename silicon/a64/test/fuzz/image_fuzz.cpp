// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever an ELF file says, it is read as a program, or refused with a sentence. Places in sources are left
// out: libdw reads them.
#include "../../src/image.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

using namespace ringproof::silicon::a64;

namespace {

/// Files in memory: the reader takes paths.
class file_in_memory {
  public:
    file_in_memory(const std::uint8_t* data, std::size_t size) : file_(memfd_create("program", MFD_CLOEXEC)) {
        if (file_ < 0 || write(file_, data, size) != static_cast<ssize_t>(size)) std::abort();
    }
    ~file_in_memory() { close(file_); }
    file_in_memory(const file_in_memory&) = delete;
    file_in_memory& operator=(const file_in_memory&) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

  private:
    int file_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const file_in_memory file(data, size);
    try {
        const image program(file.path());
        for (const segment& s : program.segments())
            if (program.name_of(s.address).empty()) std::abort();
        static_cast<void>(program.address_of("main"));
        const std::uint64_t alignment = program.thread_local_alignment();
        if (alignment < 16 || (alignment & (alignment - 1)) != 0) std::abort();
    } catch (const std::invalid_argument&) { // no such program, told
    }
    return 0;
}
