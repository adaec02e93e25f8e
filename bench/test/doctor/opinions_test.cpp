// SPDX-License-Identifier: Apache-2.0
#include "../../src/doctor/doctor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

using Catch::Matchers::Contains;
using namespace ringproof::bench;
namespace fs = std::filesystem;

namespace {

/// A folder with a fake ringproof-verify-relacy, or with the word why there is none.
class programs {
  public:
    programs() {
        std::string name = (fs::temp_directory_path() / "ringproof-opinions-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
    }
    ~programs() { fs::remove_all(folder_); }
    programs(const programs&) = delete;
    programs& operator=(const programs&) = delete;

    void put(const char* name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        fs::permissions(folder_ / name, fs::perms::owner_all);
    }
    finding relacy() const {
        const auto all = examine_opinions(folder_);
        const auto at =
            std::find_if(all.begin(), all.end(), [](const finding& f) { return f.subject == "relacy"; });
        REQUIRE(at != all.end());
        return *at;
    }

  private:
    fs::path folder_;
};

} // namespace

TEST_CASE("doctor tells how to get another checker that is absent") {
    const programs here;
    const finding f = here.relacy();
    CHECK(f.state == health::note);
    CHECK_THAT(f.found, Contains("absent"));
    CHECK_THAT(f.remedy, Contains("RINGPROOF_RELACY_ROOT"));
}

TEST_CASE("doctor tells that another checker is ready when it answers") {
    const programs here;
    here.put("ringproof-verify-relacy", "#!/bin/sh\necho '{\"schedulers\":[\"full\"]}'\n");
    CHECK(here.relacy().state == health::good);
    here.put("ringproof-verify-relacy", "#!/bin/sh\nkill -SEGV $$\n");
    CHECK(here.relacy().state == health::note);
    CHECK_THAT(here.relacy().found, Contains("not usable") && Contains("signal 11"));
}

TEST_CASE("doctor tells why a build could not use another checker") {
    const programs here;
    here.put("ringproof-verify-relacy",
             "#!/bin/sh\necho '{\"schedulers\":[\"full\"]}'\n"); // of an earlier build
    here.put("ringproof-verify-relacy.missing", "unusable\nit does not compile\n");
    CHECK(here.relacy().found == "not usable: it does not compile");
}
