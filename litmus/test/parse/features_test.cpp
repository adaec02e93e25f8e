// SPDX-License-Identifier: Apache-2.0
#include "../../src/parse/features.hpp"
#include "../../src/parse/test.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("a test that uses a feature that is not simulated is refused by the name of the feature") {
    const auto refusal = [](const std::string& text) {
        try {
            parse_test({"t", text});
        } catch (const syntax_error& e) {
            return std::to_string(e.line()) + ": " + std::string(e.message());
        }
        return std::string("read");
    };
    const std::string code = "\n P0 ;\n NOP ;\n";
    CHECK(refusal("AArch64 T\n{ [PTE(x)]=(oa:PA(y),valid:0); }" + code + "exists (0:X0=0)") ==
          "2: page tables: not supported");
    CHECK(refusal("AArch64 T\n{ 0:X1=x:green; }" + code + "exists (0:X0=0)") ==
          "2: memory tags (MTE): not supported");
    CHECK(refusal("AArch64 T\n{ }" + code + "exists (fault(P0:L,x))") ==
          "5: faults and their handlers: not supported");
    CHECK(refusal("AArch64 T\n{ 0:X0=instr:\"NOP\"; }" + code + "exists (0:X0=0)") ==
          "2: an instruction as a value (code as data): not supported");
    CHECK(refusal("AArch64 T\n{ 0:X1=P0:L; }\n P0 ;\n L: NOP ;\nexists (0:X1=label:\"P0:L\")") == "read");
    // Where nothing of the kind is there, and in other dialects, the error is the parser's own.
    CHECK(refusal("AArch64 T\n{ x 1; }" + code + "exists (0:X0=0)").find("not supported") ==
          std::string::npos);
    CHECK(refusal("RISCV T\n{ 0:x1=x:green; }" + code + "exists (0:x5=0)").find("not supported") ==
          std::string::npos);
}
