#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the interpreter of `ringproof armv8` with qemu-user: random programs without threads, whose registers, flags and
memory have to be equal at the end.

usage: sequential.py RINGPROOF-ARMV8 [PROGRAMS [SEED]]      default: 2000 programs, seed 1

qemu runs the programs first; what they leave becomes the expectation that the interpreter's run asserts. The first half of them
runs before there is another thread, and has atomics of all sizes on the same memory; the other half runs beside one. Exit codes: 0 all are
equal, 1 not, 77 no cross compiler or no qemu here.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

REGISTERS, VECTORS, PLAIN, BUFFER, LENGTH = 15, 6, 128, 192, 40
RESULT = 8 * REGISTERS + 8 + 16 * VECTORS + BUFFER


class Program:
    """A straight line of random instructions with short branches forwards. x19: results; x20: the buffer; x21: an index."""

    def __init__(self, name, dice, atomics):
        self.dice, self.labels, self.name, self.atomics = dice, 0, name, atomics

    def x(self):
        return f"x{self.dice.randrange(REGISTERS)}"

    def w(self):
        return f"w{self.dice.randrange(REGISTERS)}"

    def v(self, kind):
        return f"{kind}{self.dice.randrange(VECTORS)}"

    def imm(self, bits):
        return self.dice.randrange(1 << bits)

    def offset(self, size):
        return self.dice.randrange(PLAIN // size // 2) * size

    def condition(self):
        return self.dice.choice("eq ne cs cc mi pl vs vc hi ls ge lt gt le".split())

    def arithmetic(self):
        d, r = self.dice, self.dice.choice((self.x, self.w))
        bits = 64 if r == self.x else 32
        return d.choice((
            lambda: f"{d.choice('add adds sub subs and ands orr eor bic bics orn eon'.split())} {r()}, {r()}, {r()}, {d.choice(('lsl', 'lsr', 'asr'))} #{d.randrange(bits)}",
            lambda: f"{d.choice('add adds sub subs'.split())} {r()}, {r()}, #{self.imm(12)}",
            lambda: f"{d.choice('adc adcs sbc sbcs lsl lsr asr ror mul udiv sdiv'.split())} {r()}, {r()}, {r()}",
            lambda: f"{d.choice(('madd', 'msub'))} {r()}, {r()}, {r()}, {r()}",
            lambda: f"{d.choice(('smulh', 'umulh'))} {self.x()}, {self.x()}, {self.x()}",
            lambda: f"{d.choice(('umull', 'smull'))} {self.x()}, {self.w()}, {self.w()}",
            lambda: f"{d.choice(('ubfx', 'sbfx', 'bfi', 'bfxil'))} {r()}, {r()}, #{d.randrange(16)}, #{1 + d.randrange(16)}",
            lambda: f"extr {(q := r())}, {r()}, {r()}, #{d.randrange(bits)}",
            lambda: f"{d.choice(('clz', 'cls', 'rbit', 'rev', 'rev16'))} {r()}, {r()}",
            lambda: f"{d.choice(('csel', 'csinc', 'csinv', 'csneg'))} {r()}, {r()}, {r()}, {self.condition()}",
            lambda: f"{d.choice(('ccmp', 'ccmn'))} {r()}, {r()}, #{self.imm(4)}, {self.condition()}",
            lambda: f"{d.choice(('ccmp', 'ccmn'))} {r()}, #{self.imm(5)}, #{self.imm(4)}, {self.condition()}",
            lambda: f"{d.choice(('movz', 'movk', 'movn'))} {r()}, #{self.imm(16)}, lsl #{d.choice((0, 16))}",
            lambda: f"{d.choice(('and', 'orr', 'eor', 'ands'))} {r()}, {r()}, #{d.choice((1, 0xff, 0xfff0, 0x3c, 0x80000000))}",
            lambda: f"add {self.x()}, {self.x()}, {self.w()}, {d.choice(('uxtb', 'sxth', 'uxtw', 'sxtw'))} #{d.randrange(5)}",
            lambda: f"{d.choice(('uxtb', 'uxth', 'sxtb', 'sxth'))} {self.w()}, {self.w()}",
        ))()

    def access(self):
        d = self.dice
        size, register, load, store = d.choice((
            (1, self.w, "ldrb", "strb"), (1, self.x, "ldrsb", None), (2, self.w, "ldrh", "strh"), (2, self.w, "ldrsh", None),
            (4, self.w, "ldr", "str"), (4, self.x, "ldrsw", None), (8, self.x, "ldr", "str"),
            (4, lambda: self.v("s"), "ldr", "str"), (8, lambda: self.v("d"), "ldr", "str"), (16, lambda: self.v("q"), "ldr", "str")))
        does = d.choice((load, store or load))
        # Of each size the atomics have memory of their own: accesses of mixed sizes are refused.
        atomic, at = d.choice((("", "x25"), ("b", "x23"), ("h", "x24")))
        plain = (
            lambda: f"{does} {register()}, [x20, #{self.offset(size)}]",
            lambda: f"{does.replace('ldr', 'ldur').replace('str', 'stur')} {register()}, [x20, #{d.randrange(64)}]",
            lambda: f"mov x22, x20\n{does} {register()}, [x22, #{self.offset(size)}]!\nsub x22, x22, x20\nadd x0, x0, x22",
            lambda: f"mov x22, x20\n{does} {register()}, [x22], #{d.randrange(64)}\nsub x22, x22, x20\nadd x1, x1, x22",
            lambda: f"and x21, {self.x()}, #{(PLAIN // 2 - 1) // size if size < 16 else 3}\n{does} {register()}, [x20, x21, lsl #{size.bit_length() - 1}]",
            lambda: f"and w21, {self.w()}, #7\n{does} {register()}, [x20, w21, {d.choice(('uxtw', 'sxtw'))}]",
            lambda: f"ldp x2, x3, [x20, #{self.offset(8)}]" if d.random() < 0.5 else f"stp {self.x()}, {self.x()}, [x20, #{self.offset(8)}]",
            lambda: f"ldp w4, w5, [x20, #{self.offset(4)}]" if d.random() < 0.5 else f"stp {self.w()}, {self.w()}, [x20, #{self.offset(4)}]",
            lambda: f"ldpsw x6, x7, [x20, #{self.offset(4)}]",
            lambda: f"ldp q1, q2, [x20, #{self.offset(16)}]" if d.random() < 0.5 else f"stp q3, q0, [x20, #{self.offset(16)}]",
        )
        atomics = (
            lambda: f"ldar{atomic} {self.w()}, [{at}]" if d.random() < 0.5 else f"stlr{atomic} {self.w()}, [{at}]",
            lambda: f"ldapr{atomic} {self.w()}, [{at}]",
            lambda: f"ld{d.choice('add clr eor set smax smin umax umin'.split())}{d.choice(('', 'a', 'l', 'al'))}{atomic} {self.w()}, {self.w()}, [{at}]",
            lambda: f"swp{d.choice(('', 'a', 'l', 'al'))}{atomic} {self.w()}, {self.w()}, [{at}]",
            lambda: f"cas{d.choice(('', 'a', 'l', 'al'))}{atomic} {self.w()}, {self.w()}, [{at}]",
            lambda: f"ldadd {self.x()}, {self.x()}, [x26]",
            lambda: f"ldxp x8, x9, [x26]\nadd x8, x8, #{self.imm(8)}\nstlxp w10, x8, x9, [x26]",
            lambda: f"ldaxp w8, w9, [x26]\nadd w9, w9, #{self.imm(8)}\nstxp w10, w8, w9, [x26]",
            lambda: f"ldp x8, x9, [x26]\ncasp{d.choice(('', 'a', 'l', 'al'))} x8, x9, {d.choice(('x0, x1', 'x2, x3'))}, [x26]",
            lambda: f"casp{d.choice(('', 'a', 'l', 'al'))} w4, w5, {d.choice(('w0, w1', 'w2, w3'))}, [x26]",
            lambda: f"{d.choice(('ldrb', 'ldrh', 'ldr'))} {self.w()}, [x26, #4]" if d.random() < 0.5 else f"{d.choice(('strb', 'strh', 'str'))} {self.w()}, [x26, #4]",
            lambda: f"ldaxr w8, [x25]\nadd w9, w8, #{self.imm(8)}\nstlxr w10, w9, [x25]",
        )
        return d.choice(plain + atomics if self.atomics else plain)()

    def vector(self):
        d = self.dice
        return d.choice((
            lambda: f"{d.choice(('fadd', 'fsub', 'fmul'))} {self.v('d')}, {self.v('d')}, {self.v('d')}",
            lambda: f"{d.choice(('scvtf', 'ucvtf'))} {self.v('d')}, {self.x()}",
            lambda: f"{d.choice(('fcvtzs', 'fcvtzu'))} {self.x()}, {self.v('d')}",
            lambda: f"fmov {self.v('d')}, {self.x()}" if d.random() < 0.5 else f"fmov {self.x()}, {self.v('d')}",
            lambda: f"{d.choice(('add', 'sub', 'mul'))} {self.v('v')}.4s, {self.v('v')}.4s, {self.v('v')}.4s",
            lambda: f"{d.choice(('and', 'orr', 'eor'))} {self.v('v')}.16b, {self.v('v')}.16b, {self.v('v')}.16b",
            lambda: f"dup {self.v('v')}.2d, {self.x()}",
            lambda: f"umov {self.w()}, {self.v('v')}.s[{d.randrange(4)}]",
            lambda: f"ins {self.v('v')}.d[{d.randrange(2)}], {self.x()}",
            lambda: f"movi {self.v('v')}.4s, #{self.imm(8)}",
            lambda: f"fcmp {self.v('d')}, {self.v('d')}",
        ))()

    def branch(self):
        self.labels += 1
        label = f".L{self.name}_{self.labels}"
        test = self.dice.choice((f"b.{self.condition()}", f"cbz {self.x()},", f"cbnz {self.w()},", f"tbz {self.x()}, #{self.imm(6)},",
                                 f"tbnz {self.w()}, #{self.imm(5)},"))
        return f"{test} {label}\n{self.arithmetic()}\n{self.arithmetic()}\n{label}:"

    def text(self):
        out = [f".global {self.name}", f".type {self.name}, %function", f"{self.name}:", "stp x19, x20, [sp, #-80]!", "stp x21, x22, [sp, #16]",
               "stp x29, x30, [sp, #32]", "stp x23, x24, [sp, #48]", "stp x25, x26, [sp, #64]", "mov x19, x0", "mov x20, x1"] + [f"add x{23 + k}, x20, #{PLAIN + 16 * k}" for k in range(4)]
        for r in range(REGISTERS):
            out += [f"movz x{r}, #{self.imm(16)}"] + [f"movk x{r}, #{self.imm(16)}, lsl #{s}" for s in (16, 32, 48)]
        out += [f"dup v{r}.2d, x{r}" for r in range(VECTORS)] + ["cmp x0, x1"]
        for _ in range(LENGTH):
            kind = self.dice.random()
            out.append(self.arithmetic() if kind < 0.5 else self.access() if kind < 0.8 else self.vector() if kind < 0.9 else self.branch())
        out += [f"str x{r}, [x19, #{8 * r}]" for r in range(REGISTERS)]
        at = 8 * REGISTERS
        out += [f"cset x{r}, {c}" for r, c in enumerate(("mi", "eq", "cs", "vs"))] + ["orr x0, x0, x1, lsl #1", "orr x0, x0, x2, lsl #2",
                                                                                      "orr x0, x0, x3, lsl #3", f"str x0, [x19, #{at}]"]
        at += 8
        out += [f"add x21, x19, #{at}"] + [f"str q{r}, [x21, #{16 * r}]" for r in range(VECTORS)]
        out += ["ldp x25, x26, [sp, #64]", "ldp x23, x24, [sp, #48]", "ldp x29, x30, [sp, #32]", "ldp x21, x22, [sp, #16]", "ldp x19, x20, [sp], #80", "ret"]
        return "\n".join(out)


MAIN = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
%(declared)s
static void (*const programs[])(unsigned char *, unsigned char *) = {%(names)s};
#ifdef EXPECT
static const unsigned char expected[][%(result)d] = {
#include "expected.inc"
};
static void *nothing(void *p) { return p; }
#endif
int main(void) {
#ifdef EXPECT
    pthread_t other;
#endif
    for (int p = 0; p < %(count)d; ++p) {
        static _Alignas(16) unsigned char result[%(result)d + 16], buffer[%(buffer)d + 64];
        for (int i = 0; i < (int)sizeof(buffer); ++i) buffer[i] = (unsigned char)(17 * i + p);
#ifdef EXPECT
        if (p == %(count)d / 2) pthread_create(&other, NULL, nothing, NULL); /* from here on, main() is one of several threads */
#endif
        programs[p](result, buffer);
        for (int i = 0; i < %(buffer)d; ++i) result[%(result)d - %(buffer)d + i] = buffer[i];
#ifdef EXPECT
        for (int i = 0; i < %(result)d; ++i)
            if (result[i] != expected[p][i]) __assert_fail("equal", "program", (unsigned)(1000 * p + i), "");
#else
        fwrite(result, 1, %(result)d, stdout);
#endif
    }
#ifdef EXPECT
    pthread_join(other, NULL);
#endif
    return 0;
}
"""


def judge(armv8, count, seed, folder):
    dice = random.Random(seed)
    names = [f"program_{k}" for k in range(count)]
    with open(os.path.join(folder, "programs.s"), "w", encoding="utf-8") as file:
        file.write(".arch armv8.3-a\n.text\n" + "\n".join(Program(name, dice, k < count // 2).text() for k, name in enumerate(names)) + "\n")
    with open(os.path.join(folder, "main.c"), "w", encoding="utf-8") as file:
        file.write(MAIN % {"declared": "\n".join(f"void {n}(unsigned char *, unsigned char *);" for n in names), "names": ", ".join(names),
                           "result": RESULT, "buffer": BUFFER, "count": count})
    files = [os.path.join(folder, "main.c"), os.path.join(folder, "programs.s")]
    subprocess.run(["aarch64-linux-gnu-gcc", "-O1", "-static", *files, "-o", os.path.join(folder, "native")], check=True)
    left = subprocess.run(["qemu-aarch64", "-cpu", "max", os.path.join(folder, "native")], stdout=subprocess.PIPE, check=True).stdout
    assert len(left) == count * RESULT
    with open(os.path.join(folder, "expected.inc"), "w", encoding="utf-8") as file:
        for k in range(count):
            file.write("{" + ",".join(str(byte) for byte in left[k * RESULT:(k + 1) * RESULT]) + "},\n")
    done = subprocess.run([armv8, *files, "--cc", "aarch64-linux-gnu-gcc", "--max-instructions", str(100000 * count), "--", "-O1", "-DEXPECT",
                           f"-I{folder}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout.rstrip()[-2000:])
    return done.returncode == 0 and "verified" in done.stdout


def main(words):
    if not 1 <= len(words) <= 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    # A compiler of C alone has the other's name, too, and no cc1plus.
    if not shutil.which("aarch64-linux-gnu-g++") or not shutil.which("qemu-aarch64"):
        print("skipped: no aarch64-linux-gnu-g++ or no qemu-aarch64 here (in Debian: g++-aarch64-linux-gnu, qemu-user)")
        return 77
    count, seed = int((words + ["2000"])[1]), int((words + ["2000", "1"])[2]) if len(words) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        good = judge(words[0], count, seed, folder)
    print(f"{count} programs of {LENGTH} instructions and more: {'equal' if good else 'NOT EQUAL'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
