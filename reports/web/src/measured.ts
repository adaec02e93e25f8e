// SPDX-License-Identifier: Apache-2.0
// Benchmarks by workload and placement, then by queue and regime: what may be compared stands together.
import type { Benchmark, Placed, Ratio } from "./data";
import { median } from "./format";

/** One queue in one group and regime, with all its repetitions. */
export interface Line {
  queue: string;
  regime: string;
  ns: number[];
  steady: number;
  before?: number;
  after?: number;
  bytes?: number; // per second
  limit?: number;
  ratio?: Ratio;
}

export interface Group {
  workload: string;
  placement: string;
  latency: boolean; // a round trip: shown as time, not as throughput
  lines: Line[];
}

/** Google Benchmark's own suffixes say how it was run, not what. */
const bare = (name: string): string =>
  name.replace(/\/(manual_time|real_time|process_time|repeats:\d+|iterations:\d+|min_time:[\d.]+s?|min_warmup_time:[\d.]+|threads:1)(?=\/|$)/g, "");

/** The slowest repetition is above 1.5 times the median, as `ringproof bench` marks it too. */
export const scattered = (ns: number[]): boolean => Math.max(...ns) > 1.5 * median(ns);

/** What the charts have a colour for. */
export const regimeName = (said: string | undefined): string => (said === "near" || said === "far" ? said : "none");

/** Which benchmark it is, whatever the run, repetition or aggregate. */
export const identityOf = (b: Benchmark): string => bare(b.run_name ?? b.name);

export const nanoseconds = (b: Benchmark): number | undefined => {
  if (b.ns_per_item) return b.ns_per_item;
  if (typeof b.p50_ns === "number") return b.p50_ns; // timed one by one: its rate is only how much was offered
  if (b.items_per_second) return 1e9 / b.items_per_second;
  const unit = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[b.time_unit ?? "ns"] ?? 1;
  return b.real_time ? b.real_time * unit : undefined;
};

export function groupsOf(results: Placed<Benchmark>[], aggregates: Benchmark[], ratios: Ratio[]): Group[] {
  const groups = new Map<string, Group>();
  const lineOf = (b: Benchmark): [Group, Line] => {
    const name = identityOf(b), at = name.lastIndexOf("/");
    const workload = b.workload ?? (at > 0 ? name.slice(0, at) : name), placement = b.placement ?? "";
    const key = JSON.stringify([workload, placement]);
    const group = groups.get(key) ?? { workload, placement, latency: /ping-pong|latency|round-trip/.test(workload), lines: [] };
    groups.set(key, group);
    group.latency ||= typeof b.p50_ns === "number";
    const queue = b.peer || (b.workload ? "" : at > 0 ? name.slice(at + 1) : ""), regime = regimeName(b.regime);
    let line = group.lines.find((l) => l.queue === queue && l.regime === regime);
    if (!line) group.lines.push((line = { queue, regime, ns: [], steady: 0 }));
    return [group, line];
  };
  const before = new Map<Line, number[]>(), after = new Map<Line, number[]>();
  for (const { result: b } of results) {
    const ns = nanoseconds(b);
    if (ns === undefined) continue;
    const [, line] = lineOf(b);
    line.ns.push(ns);
    if (b.steady !== false) ++line.steady;
    if (b.bytes_per_second && b.items_per_second) line.bytes = b.bytes_per_second / b.items_per_second;
    if (b.rtt_before_ns !== undefined) before.set(line, [...(before.get(line) ?? []), b.rtt_before_ns]);
    if (b.rtt_after_ns !== undefined) after.set(line, [...(after.get(line) ?? []), b.rtt_after_ns]);
  }
  for (const b of aggregates) if (b.fraction_of_limit !== undefined) lineOf(b)[1].limit = b.fraction_of_limit;
  for (const group of groups.values())
    for (const line of group.lines) {
      if (line.bytes) line.bytes *= 1e9 / median(line.ns);
      const [b, a] = [before.get(line), after.get(line)];
      if (b) line.before = median(b);
      if (a) line.after = median(a);
      line.ratio = ratios.find((r) => r.workload === group.workload && r.placement === group.placement && r.peer === line.queue && regimeName(r.regime) === line.regime);
    }
  return [...groups.values()].map((g) => ({ ...g, lines: g.lines.filter((l) => l.ns.length) })).filter((g) => g.lines.length);
}
