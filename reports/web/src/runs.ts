// SPDX-License-Identifier: Apache-2.0
// Several results of `ringproof bench`, each a run: what is newest of each benchmark, and how it came there.
import { type Benchmark, type Placed, type Report, resultsOf } from "./data";
import { median } from "./format";
import { identityOf, nanoseconds, regimeName } from "./measured";

export interface Run {
  label: string;
  date: string;
  results: Placed<Benchmark>[];
  aggregates: Benchmark[];
}

/** Oldest first; those without a date keep their place. */
export function runsOf(report: Report): Run[] {
  const placed = resultsOf<Benchmark>(report, "bench");
  const runs = report.documents.flatMap((d, i): Run[] => {
    if (d.kind !== "bench") return [];
    const context = d.content.context ?? {}, head = context.ringproof ?? {};
    return [{
      label: d.file.split("/").pop() ?? d.file,
      date: String(head.environment?.date ?? context.date ?? ""),
      results: placed.filter((p) => p.key.startsWith(`${i}-`)),
      aggregates: (d.content.benchmarks as Benchmark[]).filter((b) => b.run_type === "aggregate"),
    }];
  });
  const time = (r: Run) => Date.parse(r.date);
  runs.sort((a, b) => (Number.isNaN(time(a)) || Number.isNaN(time(b)) ? 0 : time(a) - time(b)));
  return runs.map((r, i) => (runs.some((o, k) => k !== i && o.label === r.label) ? { ...r, label: `${r.label} (${i + 1})` } : r));
}

/** Each benchmark from the newest run that has it. */
export function newestOf(runs: Run[]): { results: Placed<Benchmark>[]; aggregates: Benchmark[] } {
  const from = new Map<string, Run>();
  for (const run of runs) for (const b of [...run.results.map((p) => p.result), ...run.aggregates]) from.set(identityOf(b), run);
  return {
    results: runs.flatMap((run) => run.results.filter(({ result }) => from.get(identityOf(result)) === run)),
    aggregates: runs.flatMap((run) => run.aggregates.filter((b) => from.get(identityOf(b)) === run)),
  };
}

/** One benchmark in one regime, run by run. */
export interface Track {
  name: string;
  regime: string;
  points: { run: Run; ns: number[] }[];
}

/** What two runs or more have measured in one regime. */
export function tracksOf(runs: Run[]): Track[] {
  const tracks = new Map<string, Track>();
  for (const run of runs)
    for (const { result, outcome } of run.results) {
      const ns = nanoseconds(result);
      if (ns === undefined || outcome !== "passed") continue;
      const name = identityOf(result), regime = regimeName(result.regime), key = JSON.stringify([name, regime]);
      const track = tracks.get(key) ?? { name, regime, points: [] };
      tracks.set(key, track);
      const last = track.points[track.points.length - 1];
      if (last?.run === run) last.ns.push(ns);
      else track.points.push({ run, ns: [ns] });
    }
  return [...tracks.values()].filter((t) => t.points.length > 1);
}

export interface Change {
  name: string;
  regime: string;
  before: number;
  after: number;
  /** Speed now by speed before: above 1 it has become faster. */
  ratio: number;
  low: number;
  high: number;
}

/** The newest of a track against the one before: the ratio of speeds, by medians, with its 95 % interval, by the bootstrap with a fixed seed. */
export function changeOf(track: Track): Change {
  const [old, now] = track.points.slice(-2) as [Track["points"][0], Track["points"][0]];
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const drawn = (from: number[]) => median(from.map(() => from[Math.floor(random() * from.length)]!));
  const ratios = Array.from({ length: 400 }, () => drawn(old.ns) / drawn(now.ns)).sort((a, b) => a - b);
  const before = median(old.ns), after = median(now.ns);
  return { name: track.name, regime: track.regime, before, after, ratio: before / after, low: ratios[10]!, high: ratios[389]! };
}
