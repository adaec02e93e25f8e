// SPDX-License-Identifier: Apache-2.0
#include "processes.hpp"

#include "../program/facts.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

std::runtime_error refused(const char* what) {
    return std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

/// In memory that all processes share.
struct board {
    std::atomic<std::size_t> next{0}, done{0};
};

class shared_board {
  public:
    shared_board() {
        void* at = mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) throw refused("no shared memory");
        board_ = new (at) board;
    }
    ~shared_board() { munmap(board_, sizeof(board)); }
    shared_board(const shared_board&) = delete;
    shared_board& operator=(const shared_board&) = delete;
    board* operator->() const { return board_; }

  private:
    board* board_;
};

/// A file in memory that everyone appends to, a whole record at a time.
class shared_file {
  public:
    shared_file() : file_(memfd_create("ringproof-results", MFD_CLOEXEC)) {
        if (file_ < 0 || fcntl(file_, F_SETFL, O_APPEND) != 0) throw refused("no file in memory");
    }
    ~shared_file() { close(file_); }
    shared_file(const shared_file&) = delete;
    shared_file& operator=(const shared_file&) = delete;

    bool append(std::size_t number, const std::string& text) const {
        const std::size_t head[2] = {number, text.size()};
        std::string record(reinterpret_cast<const char*>(head), sizeof head);
        record += text;
        return write(file_, record.data(), record.size()) == static_cast<ssize_t>(record.size());
    }
    void read_into(std::vector<std::string>& results) const {
        std::string all(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
        if (pread(file_, all.data(), all.size(), 0) != static_cast<ssize_t>(all.size())) return;
        for (std::size_t at = 0; all.size() - at >= 2 * sizeof(std::size_t);) {
            std::size_t head[2];
            std::memcpy(head, all.data() + at, sizeof head);
            at += sizeof head;
            if (head[0] >= results.size() || head[1] > all.size() - at) return;
            results[head[0]] = all.substr(at, head[1]);
            at += head[1];
        }
    }

  private:
    int file_;
};

} // namespace

std::vector<std::string> in_processes(std::size_t count, const std::function<std::string(std::size_t)>& work,
                                      const process_options& options) {
    std::vector<std::string> results(count);
    const auto enough = [&](const std::string& result) { return options.enough && options.enough(result); };
    if (options.jobs <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count && !search_facts::interrupted; ++i) {
            results[i] = work(i);
            if (options.on_progress) options.on_progress(i + 1);
            if (enough(results[i])) break;
        }
        return results;
    }
    std::fflush(nullptr); // or each process prints what waits to be printed
    const shared_board all;
    const shared_file file;
    const pid_t parent = getpid();
    std::vector<pid_t> workers;
    for (unsigned n = 0; n < options.jobs && n < count; ++n) {
        const pid_t child = fork();
        if (child < 0 && workers.empty()) throw refused("no process can be started");
        if (child < 0) break;
        if (child > 0) {
            workers.push_back(child);
            continue;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        bool whole = getppid() == parent;
        for (std::size_t i = all->next++; whole && i < count && !search_facts::interrupted; i = all->next++) {
            const std::string result = work(i);
            whole = file.append(i, result);
            ++all->done;
            if (enough(result)) all->next = count;
        }
        _exit(whole ? 0 : 1);
    }
    for (bool told = false; !workers.empty(); usleep(2'000)) {
        const auto ended = [](pid_t worker) { return waitpid(worker, nullptr, WNOHANG) != 0; };
        workers.erase(std::remove_if(workers.begin(), workers.end(), ended), workers.end());
        if (search_facts::interrupted && !told) {
            for (const pid_t worker : workers) kill(worker, SIGTERM);
            told = true;
        }
        if (options.on_progress) options.on_progress(all->done);
    }
    file.read_into(results);
    return results;
}

} // namespace ringproof::verify
