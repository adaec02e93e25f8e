// SPDX-License-Identifier: Apache-2.0
// Documents larger, or of another kind, than those that are kept as files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { output, sample } from "./browser.mjs";

export function write(name, content) {
  const path = join(output, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const head = (schema) => ({ schema, tool: { name: "ringproof", version: "0" } });
export const verify = (results, more = {}) => ({ ...head("ringproof-verify/1"), ...more, results });
export const litmus = (results) => ({ ...head("ringproof-litmus/1"), results });

export const counterexample = (name) => ({
  kind: "race", message: `data race in ${name}`, replay: "T", culprits: [2, 3],
  events: [
    { id: 1, thread: 0, kind: "write", label: "store x := 1", file: "src/a.cpp", line: 3 },
    { id: 2, thread: 1, kind: "read", label: "read data = 0", file: "src/a.cpp", line: 7, rf: 1 },
    { id: 3, thread: 2, kind: "write", label: "write data := 1", file: "src/a.cpp", line: 9 },
    { id: 4, thread: 2, kind: "write", label: "store y := 1", file: "src/a.cpp", line: 10 },
  ],
});

/** As many as the ring has, each under three models, and a mutant for every second. */
export function many(count = 300) {
  const results = [];
  for (let i = 0; i < count; ++i) {
    const name = `ring, scenario ${i}: accounted for`, file = "verify/scenarios/ring/ring_set_refuse.cpp";
    for (const model of ["rc11", "sc", "tso"])
      results.push({ name, model, verdict: "verified", expected: "verified", executions: 10 + i, blocked: 1, seconds: 0.001, bounds: { spins: 10000 }, covered: { full: true }, file, line: i + 1 });
    if (i % 2 === 0)
      results.push({ name: `ring, scenario ${i}, A relaxed`, model: "rc11", verdict: "refuted", expected: "refuted", mutant: "ABCD"[(i / 2) % 4], executions: 0, file, line: i + 1, counterexample: counterexample(name) });
  }
  return verify(results);
}

/** As `ringproof check` writes it. */
export const check = () => verify([
  { name: "queue.cpp", model: "rc11", verdict: "refuted", expected: "verified", executions: 3, properties: ["races", "memory errors", "deadlocks", "assertions"], file: "src/queue.cpp", line: 1, bounds: { spins: 10000 }, counterexample: counterexample("queue.cpp") },
  { name: "queue.cpp", model: "sc", verdict: "verified", executions: 4, properties: ["races"], file: "src/queue.cpp", line: 1 },
  { name: "lock.cpp", model: "rc11", verdict: "inconclusive", executions: 900, message: "ended by --time", properties: ["races"], file: "src/lock.cpp", line: 1 },
  { name: "flag.c", model: "rc11", verdict: "verified", executions: 12, properties: ["races"], file: "src/flag.c", line: 1 },
], { invocation: ["ringproof", "check", "src"] });

/** As `ringproof-kernel` writes it: two scenarios, one of them a finding under two models. */
export const kernel = () => verify([
  { name: "nested: one record", model: "rc11", verdict: "verified", expected: "verified", executions: 1200, file: "verify/kernel/nested.cpp", line: 1 },
  { name: "forward, without B", model: "rc11", verdict: "refuted", expected: "refuted", executions: 1, file: "verify/kernel/forward.cpp", line: 1, counterexample: counterexample("B") },
  ...["rc11", "sc"].map((model) => ({ name: "wake-up, as shipped: nobody is told", model, verdict: "refuted", expected: "refuted", executions: 19, file: "verify/kernel/wake_up.cpp", line: 1, counterexample: counterexample("wake-up") })),
]);

/** As `ringproof museum` writes it: two published bugs, one of them with its fix. */
export const museum = () => verify([
  { name: "stack, before the fix", model: "rc11", verdict: "refuted", expected: "refuted", executions: 3, file: "verify/museum/exhibits/stack.cpp", line: 1, exhibit: { name: "stack", fixed: false }, counterexample: counterexample("stack") },
  { name: "ring, before the fix", model: "tso", verdict: "refuted", expected: "refuted", executions: 4, file: "verify/museum/exhibits/ring.c", line: 1, exhibit: { name: "ring", fixed: false }, counterexample: counterexample("ring") },
  { name: "ring, after the fix", model: "tso", verdict: "verified", expected: "verified", executions: 9, file: "verify/museum/exhibits/ring.c", line: 1, exhibit: { name: "ring", fixed: true } },
]);

/** As `ringproof verify --second-opinion` writes it: 30 scenarios, the last of them in dispute. */
export function opinions() {
  const results = [], verdicts = [];
  for (let i = 0; i < 30; ++i) {
    const scenario = `queue ${i}: in order`, at = { scenario, tool: "relacy", scheduler: "full", ours: "verified", runs: 7, seconds: 0.5 };
    results.push({ name: scenario, model: "rc11", verdict: "verified", executions: 3, file: "q.cpp", line: i + 1 });
    verdicts.push(i < 27 ? { ...at, verdict: "no bug", message: "no bug in its schedule space: 7 runs", agrees: true }
      : i === 27 ? { ...at, ours: "refuted", verdict: "stopped", message: "no bug in 7 runs", agrees: false, explanation: "it explores schedules" }
      : i === 28 ? { ...at, ours: "refuted", verdict: "no bug", message: "no bug in its schedule space: 7 runs", agrees: false, explanation: "it forgets old values" }
      : { ...at, verdict: "bug", message: "DATA RACE, in run 7 at q.cpp:3", agrees: false, history: "[0] 1: <b>load" });
  }
  const sources = [{ tool: "relacy", state: "ready", cannot_see: "it explores schedules" }, { tool: "cdschecker", state: "absent", why: "no folder", install: "git clone it" }];
  return verify(results, { opinions: { sources, verdicts } });
}

/** As `ringproof litmus barriers --results` writes it. */
export const machines = () => litmus([["x86-64 (TSO)", "x86-tso", "nothing"], ["AArch64", "aarch64", "DMB ISHST / STLR"], ["RC11, plain data", "rc11", "release"]].map(([machine, model, least]) => ({
  name: `ring barriers needed on ${machine}`, engine: "simulator", model, observation: "Never", verdict: "consistent", ok: true, machine,
  letters: ["A", "B", "C", "D"].map((letter) => ({ letter, least, without: "Sometimes" })),
})));

/** Eight tests that ran, and 40 that could not, for two reasons. */
export const skipping = () => litmus([
  ...sample("litmus.json").results,
  ...Array.from({ length: 40 }, (_, i) => ({ name: `R${i}`, dialect: i < 25 ? "RISCV" : "AArch64", engine: "hardware", verdict: "skipped", message: i < 25 ? "tests of dialect RISCV do not run on this machine" : `R${i}: no qemu` })),
]);

/** The same at several placements: placement → queue → ns. The farther regime of the last one comes with it. */
export function placed(workload, placements) {
  const all = bench(workload, {});
  for (const [placement, queues] of Object.entries(placements))
    for (const b of bench(workload, queues).benchmarks) {
      const [where, regime = "near"] = placement.split(" "), name = b.name.replace("same-l3", where);
      all.benchmarks.push({ ...b, name: regime === "near" ? name : `${name}/${regime}`, run_name: `${workload}/${where}/${b.peer}`, placement: where, regime });
    }
  return all;
}

/** Medians of one workload: queue → ns, or null for one that came to a standstill. */
export function bench(workload, queues, more = {}) {
  const benchmarks = [];
  for (const [peer, ns] of Object.entries(queues)) {
    const at = { workload, placement: "same-l3", peer, regime: "near", run_name: `${workload}/same-l3/${peer}` };
    if (ns === null) benchmarks.push({ ...at, name: at.run_name, run_type: "iteration", error_occurred: true, verdict: "collapsed", error_message: "collapsed: not one operation done" });
    else {
      for (const factor of [0.98, 1, 1.02]) benchmarks.push({ ...at, name: at.run_name, run_type: "iteration", ns_per_item: ns * factor, steady: true });
      benchmarks.push({ ...at, name: `${at.run_name}_median`, run_type: "aggregate", aggregate_name: "median", ci_low_ns: ns * 0.98, ci_high_ns: ns * 1.02,
        ...(peer === "ringproof" ? {} : { speed_ratio_median: ns / queues.ringproof, speed_ratio_ci_low: (ns / queues.ringproof) * 0.97, speed_ratio_ci_high: (ns / queues.ringproof) * 1.03 }) });
    }
  }
  return { context: { ringproof: { schema: "ringproof-bench/1", fit: true, fitness: { measurements: 90, unsteady: 2 }, ...more } }, benchmarks };
}
