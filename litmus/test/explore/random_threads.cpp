// SPDX-License-Identifier: Apache-2.0
#include "random_threads.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {

std::vector<std::string> usual_registers(const std::string& prefix, std::size_t threads) {
    std::vector<std::string> all;
    for (std::size_t t = 0; t < threads; ++t)
        all.push_back(fmt::format("{0}:{1}1=x; {0}:{1}2=y; {0}:{1}3=z; {0}:{1}4=a;", t, prefix));
    return all;
}

std::string test_of_threads(const std::string& dialect, const std::vector<std::string>& initial,
                            const std::vector<random_thread>& threads) {
    std::string text = dialect + " T\n{ int a[2]={0,0};";
    for (const std::string& one : initial) text += " " + one;
    text += " }\n";
    std::size_t rows = 0;
    for (const random_thread& t : threads) rows = std::max(rows, t.text.size());
    const auto row = [&](const auto& cell) {
        for (std::size_t t = 0; t < threads.size(); ++t)
            text += fmt::format(" {:24}{}", cell(t), t + 1 < threads.size() ? " |" : " ;\n");
    };
    row([](std::size_t t) { return fmt::format("P{}", t); });
    for (std::size_t k = 0; k < rows; ++k)
        row([&](std::size_t t) { return k < threads[t].text.size() ? threads[t].text[k] : std::string(); });
    text += "locations [x; y; z; a[0]; a[1];";
    for (const random_thread& t : threads)
        for (const std::string& r : t.asked) text += " " + r + ";";
    return text + "]\nexists (x=1)\n";
}

} // namespace ringproof::litmus
