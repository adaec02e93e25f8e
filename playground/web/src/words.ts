// SPDX-License-Identifier: Apache-2.0
// A result in plain words.
import { count } from "../../../reports/web/src/format";
import type { Answer, Execution } from "./simulation";

export const models: Record<string, string> = {
  sc: "sequential consistency: the threads take turns, nothing is reordered",
  "x86-tso": "x86: a store waits in a buffer, so later loads may pass it",
  aarch64: "Arm, 64 bits",
  riscv: "RISC-V",
  rc11: "C and C++ atomics, repaired: no values out of thin air, so no load buffering",
  c11: "C and C++ atomics as the standard has them",
  lkmm: "the Linux kernel's memory model",
};

export interface Verdict { tone: "ok" | "failed" | "inconclusive" | "asked"; title: string; detail: string }

const states = (n: number) => `${count(n)} final state${n === 1 ? "" : "s"}`;

export function verdictOf(a: Answer): Verdict {
  const all = a.states.length, met = a.states.filter((s) => s.witness).length;
  if (a.observation === null)
    return { tone: "inconclusive", title: "Inconclusive", detail: a.bounds.reached ? `No execution ends within ${a.bounds.unroll} rounds of its loops.` : "The search did not end." };
  const found = {
    Never: { title: `Never: none of ${states(all)}`, happens: "does not happen" },
    Sometimes: { title: `Sometimes: ${count(met)} of ${states(all)}`, happens: "can happen" },
    Always: { title: `Always: all of ${states(all)}`, happens: "always happens" },
  }[a.observation];
  if (a.verdict === "inconclusive")
    return { tone: "inconclusive", title: found.title, detail: "Inconclusive: executions that are not counted could change this." };
  // What a test asks for is neither good nor bad; what it claims holds or does not.
  if (a.condition.startsWith("exists"))
    return { tone: "asked", title: found.title, detail: `What the test asks for ${found.happens} under ${a.model}.` };
  const claim = a.condition.startsWith("forall") ? "this is always so" : "this never happens";
  return a.verdict === "refuted"
    ? { tone: "failed", title: found.title, detail: `The test claims that ${claim}. Refuted under ${a.model}.` }
    : { tone: "ok", title: found.title, detail: `The test claims that ${claim}. It holds under ${a.model}.` };
}

const flags: Record<string, string> = {
  "undefined:race": "A data race: two threads access a plain variable, one of them writes, and nothing orders them. C and C++ then promise nothing at all.",
  "undefined:unsequenced-race": "Two accesses of one thread are not ordered, and one of them writes. C and C++ then promise nothing at all.",
  "data-race": "A data race: two threads access a plain variable, one of them writes, and nothing orders them.",
};

/** What to know before the verdict is believed. */
export function warningsOf(a: Answer): string[] {
  const all = a.flags.map((name) => flags[name] ?? `The model raises the flag ${name}.`);
  if (a.bounds.reached) all.push(`Loops were cut off after ${a.bounds.unroll} rounds. Executions with more rounds are not counted.`);
  if (a.thin_air.allowed) all.push("The model allows executions whose values only justify each other (out of thin air). They are not counted.");
  return all;
}

/** "0:r1=0; [x]=1;" → [["0:r1", "0"], ["[x]", "1"]] */
export const valuesOf = (state: string): [string, string][] =>
  state.split(";").map((part) => part.trim()).filter(Boolean).map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });

/** "a: R[ACQ] x = 1" */
export function eventText(e: Execution["events"][number]): string {
  const labels = e.labels.length ? `[${e.labels.join(",")}]` : "";
  const value = e.kind === "U" ? ` = ${e.loaded ?? "?"}→${e.stored ?? "?"}` : e.loaded ?? e.stored ? ` = ${e.loaded ?? e.stored}` : "";
  return `${e.name}: ${e.kind === "init" ? "W" : e.kind}${labels}${e.location ? ` ${e.location}` : ""}${value}`;
}
