// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using list = std::vector<std::string>;

namespace {

std::string riscv(const std::string& code, const std::string& shown = "x8") {
    return "RISCV T\n{ 0:x6=x; 0:x7=y; x=6; }\n P0 ;\n " + code + "\nlocations [0:" + shown +
           "; x;]\nexists (true)";
}

} // namespace

TEST_CASE("arithmetic of RISC-V leaves what the processor leaves") {
    const auto x8 = [](const std::string& code) { return leaves(riscv(code)); };
    CHECK(x8("li x5,5 ; \n li x9,3 ;\n add x8,x5,x9 ;") == "0:x8=8; [x]=6;");
    CHECK(x8("li x5,5 ; \n li x9,3 ;\n sub x8,x5,x9 ;") == "0:x8=2; [x]=6;");
    CHECK(x8("li x5,5 ; \n li x9,3 ;\n xor x8,x5,x9 ;") == "0:x8=6; [x]=6;");
    CHECK(x8("li x5,5 ; \n li x9,3 ;\n and x8,x5,x9 ;") == "0:x8=1; [x]=6;");
    CHECK(x8("li x5,5 ; \n li x9,3 ;\n or x8,x5,x9 ;") == "0:x8=7; [x]=6;");
    CHECK(x8("li x5,5 ; \n li x9,3 ;\n sll x8,x5,x9 ;") == "0:x8=40; [x]=6;");
    CHECK(x8("li x5,40 ; \n li x9,3 ;\n srl x8,x5,x9 ;") == "0:x8=5; [x]=6;");
    CHECK(x8("li x5,-1 ; \n li x9,3 ;\n slt x8,x5,x9 ;") == "0:x8=1; [x]=6;");
    CHECK(x8("li x5,-1 ; \n li x9,3 ;\n sltu x8,x5,x9 ;") == "0:x8=0; [x]=6;");
    CHECK(x8("li x5,5 ;\n mv x8,x5 ;") == "0:x8=5; [x]=6;");
    CHECK(x8("li x0,5 ;\n mv x8,x0 ;") == "0:x8=0; [x]=6;"); // x0 stays zero
}

TEST_CASE("atomic instructions of RISC-V return the old value and store the new one") {
    CHECK(leaves(riscv("li x5,3 ;\n amoadd.w x8,x5,(x6) ;")) == "0:x8=6; [x]=9;");
    CHECK(leaves(riscv("li x5,3 ;\n amoswap.w x8,x5,(x6) ;")) == "0:x8=6; [x]=3;");
    CHECK(leaves(riscv("li x5,3 ;\n amoand.w x8,x5,(x6) ;")) == "0:x8=6; [x]=2;");
    CHECK(leaves(riscv("li x5,3 ;\n amoor.w x8,x5,(x6) ;")) == "0:x8=6; [x]=7;");
    CHECK(leaves(riscv("li x5,3 ;\n amoxor.w x8,x5,(x6) ;")) == "0:x8=6; [x]=5;");
}

TEST_CASE("what is said behind an instruction of RISC-V labels its events") {
    CHECK(events_of(riscv("lw x8,0(x6) ;\n lw.aq x8,0(x6) ;\n sw.rl x8,0(x7) ;")) ==
          list{"R", "R Acq", "W Rel"});
    CHECK(events_of(riscv("amoadd.w.aqrl x8,x5,(x6) ;")) == list{"RW AcqRel X"});
    CHECK(events_of(riscv("lr.w.aq x8,(x6) ;")) == list{"R Acq EX X"});
    CHECK(events_of(riscv("fence r,rw ;\n fence ;\n fence.tso ;")) ==
          list{"F Fence.r.rw", "F Fence.rw.rw", "F Fence.tso"});
}

TEST_CASE("what RISC-V has not, or the simulator not, is an error at the instruction") {
    CHECK(load_error(riscv("fence q,w ;")) == "t.litmus:4:2: expected some of i, o, r and w, found 'q'");
    CHECK(load_error(riscv("lw x8,x6 ;")) == "t.litmus:4:2: expected an address such as 0(x6), found 'x6'");
    CHECK(load_error(riscv("mulh x8,x6,x6 ;")).find("t.litmus:4:2: ") == 0);
    CHECK(load_error(riscv("add x8,x6 ;")).find("t.litmus:4:2: ") == 0);
}

TEST_CASE("branches of RISC-V go where the values send them") {
    const auto taken = [](const std::string& branch) {
        return leaves(riscv("li x5,-1 ;\n li x9,3 ;\n " + branch + ",L ;\n li x8,1 ;\n L: ;")) ==
               "0:x8=0; [x]=6;";
    };
    CHECK(taken("bne x5,x9"));
    CHECK_FALSE(taken("beq x5,x9"));
    CHECK(taken("blt x5,x9"));
    CHECK_FALSE(taken("bge x5,x9"));
    CHECK_FALSE(taken("bltu x5,x9"));
    CHECK(taken("bgeu x5,x9"));
}

TEST_CASE("words, half words and bytes of RISC-V are sign-extended unless told otherwise") {
    const auto x8 = [](const std::string& code) { return leaves(riscv(code)); };
    CHECK(x8("lui x8,0x80000 ;") == "0:x8=-2147483648; [x]=6;");
    CHECK(x8("lui x5,0x1 ;\n addi x8,x5,-1 ;") == "0:x8=4095; [x]=6;");
    CHECK(x8("li x5,0x1ffffffff ;\n sext.w x8,x5 ;") == "0:x8=-1; [x]=6;");
    CHECK(x8("li x5,0x7fffffff ;\n addiw x8,x5,1 ;") == "0:x8=-2147483648; [x]=6;");
    CHECK(x8("li x5,-8 ;\n srai x8,x5,1 ;") == "0:x8=-4; [x]=6;");
    CHECK(x8("li x5,-1 ;\n sw x5,0(x6) ;\n lwu x8,0(x6) ;") == "0:x8=4294967295; [x]=-1;");
    const auto byte = [](const std::string& code) {
        return leaves("RISCV T\n{ 0:x6=t; uint8_t t=255; }\n P0 ;\n " + code +
                      "\nlocations [0:x8;]\nexists (true)");
    };
    CHECK(byte("lb x8,0(x6) ;") == "0:x8=-1;");
    CHECK(byte("lbu x8,0(x6) ;") == "0:x8=255;");
}

TEST_CASE("a RISC-V fence of devices and memory orders memory as one of memory does") {
    CHECK(events_of(riscv("fence iorw,iorw ;")) == events_of(riscv("fence rw,rw ;")));
    CHECK(events_of(riscv("fence io,rw ;")) != events_of(riscv("fence rw,rw ;")));
    CHECK_THROWS(events_of(riscv("fence rwx,rw ;")));
}

TEST_CASE("what is computed from the result of a store-conditional depends on the store, in RISC-V") {
    const auto observed = [](const std::string& sw) {
        const loaded_test t = loaded(
            "RISCV T\n{ 0:x5=x; 0:x10=y; 1:x6=y; 1:x9=x; }\n P0 | P1 ;\n li x6,1 | lw x5,0(x6) ;\n"
            "lr.w x7,0(x5) | xor x7,x5,x5 ;\n sc.w x8,x6,0(x5) | add x9,x9,x7 ;\n li x9,1 | lw x8,0(x9) ;\n" +
            sw + " | ;\nexists (x=1 /\\ 1:x5=1 /\\ 1:x8=0)");
        const simulation s = simulate(t.text, t.what, model::load("riscv", {}), {});
        return std::string(observation(s.positive, s.negative));
    };
    CHECK(observed("add x9,x9,x8 | ;\n sw x9,0(x10)") == "Never");                      // data
    CHECK(observed("xor x8,x8,x8 | ;\n add x10,x10,x8 | ;\n sw x9,0(x10)") == "Never"); // address
    CHECK(observed("bnez x8,L | ;\n sw x9,0(x10) | ;\n L:") == "Never");                // control
    CHECK(observed("li x8,0 | ;\n add x9,x9,x8 | ;\n sw x9,0(x10)") == "Sometimes");    // overwritten
    CHECK(observed("sw x9,0(x10)") == "Sometimes");
}

TEST_CASE("a store-conditional of RISC-V passes no dependency on, from its sources to its result") {
    // The load of z gives the stored value; only the store depends on it.
    const loaded_test t =
        loaded("RISCV T\n{ 0:x4=z; 0:x5=x; 0:x10=y; }\n P0 ;\n lw x6,0(x4) ;\n lr.w x7,0(x5) ;\n"
               "sc.w x8,x6,0(x5) ;\n sw x8,0(x10) ;\nexists (true)");
    const std::vector<event>& events = t.what.threads.at(0).at(0).events; // z, lr, sc, y
    REQUIRE(events.size() == 4);
    CHECK(events[2].data_from == 0b0001);
    CHECK(events[3].data_from == 0b0100);
    const std::vector<event>& failed = t.what.threads.at(0).at(1).events; // z, lr, y
    REQUIRE(failed.size() == 3);
    CHECK(failed[2].data_from == 0);
}

TEST_CASE("what orders the load of an atomic instruction of RISC-V orders its store") {
    const auto observed = [](const std::string& between) {
        const loaded_test t = loaded("RISCV T\n{ 0:x5=x; 0:x9=y; 1:x5=y; 1:x9=x; }\n P0 | P1 ;\n"
                                     "li x7,1 | li x7,1 ;\n amoswap.w x6,x7,(x5) | amoswap.w x6,x7,(x5) ;\n" +
                                     between + " | " + between +
                                     " ;\n lw x8,0(x9) | lw x8,0(x9) ;\nexists (0:x8=0 /\\ 1:x8=0)");
        const simulation s = simulate(t.text, t.what, model::load("riscv", {}), {});
        return std::string(observation(s.positive, s.negative));
    };
    CHECK(observed("fence.tso") == "Never");
    CHECK(observed("fence r,r") == "Never");
    CHECK(observed("fence w,w") == "Sometimes");
}

TEST_CASE("an atomic instruction of 32 bits returns them with their sign, in RISC-V") {
    CHECK(leaves(riscv("li x5,-1 ;\n amoswap.w x9,x5,(x6) ;\n amoadd.w x9,x5,(x6) ;\n slt x8,x9,x0 ;")) ==
          "0:x8=1; [x]=-2;");
}
