// SPDX-License-Identifier: Apache-2.0
// Percentiles of what was timed one by one: how large a share of operations took longer than so many nanoseconds.
import * as Plot from "@observablehq/plot";
import { useMemo, useState } from "preact/hooks";
import { Chart } from "./chart";
import type { Benchmark } from "./data";
import { count } from "./format";
import { regimeName } from "./measured";
import { LongTable } from "./virtual";

interface Tail {
  queue: string;
  points: { queue: string; share: number; ns: number }[];
  from: Benchmark;
}
interface TailGroup {
  workload: string;
  placement: string;
  regime: string;
  tails: Tail[];
}

function tailsOf(aggregates: Benchmark[]): TailGroup[] {
  const groups = new Map<string, TailGroup>();
  for (const b of aggregates) {
    const pairs = Array.isArray(b.tail) ? (b.tail as [number, number][]) : [];
    if (pairs.length < 2 || !b.workload) continue;
    const regime = regimeName(b.regime), placement = b.placement ?? "", key = JSON.stringify([b.workload, placement, regime]);
    const group = groups.get(key) ?? { workload: b.workload, placement, regime, tails: [] };
    groups.set(key, group);
    const queue = b.peer || "the limit";
    group.tails.push({ queue, from: b, points: pairs.map(([share, ns]) => ({ queue, share, ns: Math.max(ns, 1) })) });
  }
  return [...groups.values()];
}

const shares = [0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7];
const ours = (queue: string) => queue.startsWith("ringproof");

const nameOf = (group: TailGroup) => `${group.workload} ${group.placement}${group.regime === "none" ? "" : `, ${group.regime}`}`;

function TailChart({ groups }: { groups: TailGroup[] }) {
  const [chosen, choose] = useState("");
  const group = groups.find((g) => nameOf(g) === chosen) ?? groups.find((g) => g.tails.some((t) => ours(t.queue))) ?? groups[0]!;
  const options = useMemo((): Plot.PlotOptions => {
    const rows = group.tails.flatMap((t) => t.points), least = Math.min(...rows.map((r) => r.share));
    const lines = (mine: boolean) => Plot.line(rows.filter((r) => ours(r.queue) === mine), {
      x: "ns", y: "share", z: "queue", stroke: mine ? "var(--accent)" : "var(--quiet)", strokeWidth: mine ? 2.2 : 1.2, strokeOpacity: mine ? 1 : 0.6,
    });
    const ends = group.tails.map((t) => t.points[t.points.length - 1]!);
    return {
      height: 320,
      x: { type: "log", label: "ns →", grid: true, nice: true, ticks: 5, tickFormat: "~s" },
      y: { type: "log", label: "↑ share that took longer", domain: [least, 0.5], grid: true, ticks: shares.filter((s) => s >= least), tickFormat: (s: number) => `${+(s * 100).toPrecision(1)} %` },
      marks: [
        lines(false), lines(true),
        Plot.text(ends.filter((e) => e.queue === "ringproof" || ends.length === 1), { x: "ns", y: "share", text: "queue", dy: -8, fill: "currentColor", textAnchor: "end" }),
        Plot.tip(rows, Plot.pointer({ x: "ns", y: "share", title: (r: { queue: string; ns: number; share: number }) => `${r.queue}\n${(r.share * 100).toPrecision(2)} % took longer than ${count(r.ns)} ns`, fill: "var(--surface)" })),
      ],
    };
  }, [group]);
  return (
    <figure class="tail">
      <figcaption><b>Latency to the tail</b> <span class="quiet small block">how many took longer than that; ours are the strong lines, all names are in the table</span></figcaption>
      <label class="small">Workload <select id="tail-choice" value={nameOf(group)} onChange={(e) => choose(e.currentTarget.value)}>{groups.map((g) => <option key={nameOf(g)} value={nameOf(g)}>{nameOf(g)}</option>)}</select></label>
      <Chart options={options} label={`${nameOf(group)}: latencies; the table of percentiles has the figures`} />
      <Percentiles groups={groups} />
    </figure>
  );
}

function Percentiles({ groups }: { groups: TailGroup[] }) {
  const cell = (b: Benchmark, counter: string) => (typeof b[counter] === "number" ? count(b[counter] as number) : "");
  const columns = [["Median", "p50_ns"], ["p90", "p90_ns"], ["p99", "p99_ns"], ["p99.9", "p999_ns"], ["Longest", "worst_ns"], ["Of", "samples"]] as const;
  const rows = groups.flatMap((group) => group.tails.map((tail) => ({ key: `${nameOf(group)} ${tail.queue}`, group, tail })));
  return (
    <details class="more">
      <summary>Percentiles as a table</summary>
      <LongTable id="tail-table" label="Percentiles, a list that scrolls" items={rows} keyOf={(r) => r.key} columns={8} estimate={46}
        caption="In ns, from when an operation was due. A percentile beyond which fewer than ten lie is left out."
        head={<tr><th scope="col">Benchmark</th><th scope="col">Regime</th>{columns.map(([title]) => <th key={title} scope="col" class="num">{title}</th>)}</tr>}
        row={({ group: g, tail: t }) => (
          <tr>
            <th scope="row">{g.workload} <b>{t.queue}</b> <span class="small quiet">{g.placement}</span></th>
            <td data-label="Regime">{g.regime === "none" ? "" : g.regime}</td>
            {columns.map(([title, counter]) => <td key={title} data-label={title} class="num">{cell(t.from, counter)}</td>)}
          </tr>
        )} />
    </details>
  );
}

export function Tails({ aggregates }: { aggregates: Benchmark[] }) {
  const groups = useMemo(() => tailsOf(aggregates), [aggregates]);
  return groups.length ? <TailChart groups={groups} /> : null;
}
