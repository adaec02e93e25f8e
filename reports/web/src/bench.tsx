// SPDX-License-Identifier: Apache-2.0
// What was measured: against peers, along each axis, at each placement, one workload with all its repetitions, and every median in a table.
import * as Plot from "@observablehq/plot";
import { useMemo, useState } from "preact/hooks";
import { AxisCharts } from "./axis_charts";
import { outlier, withoutOutliers } from "./axes";
import { Chart, RegimeKey, ratioMarks } from "./chart";
import { Runs } from "./compare";
import type { Collapse, Ratio, Report } from "./data";
import { missingPeers } from "./fitness";
import { count, median, nanos, si, times } from "./format";
import { HeatMap } from "./heat_map";
import { type Group, type Line, regimeName, scattered } from "./measured";
import type { Run } from "./runs";
import { Tails } from "./tails";
import { Term } from "./term";
import { LongTable } from "./virtual";
import type { Benchmark } from "./data";

const titleOf = (g: { workload: string; placement: string }) => `${g.workload} ${g.placement}`.trim();

/** Every repetition is a dot, so that the spread is seen and not only a median. */
function WorkloadChart({ groups }: { groups: Group[] }) {
  const [chosen, choose] = useState(titleOf(groups[0]!));
  const group = groups.find((g) => titleOf(g) === chosen) ?? groups[0]!;
  const { options, names, left } = useMemo(() => {
    const value = (ns: number) => (group.latency ? ns : 1e9 / ns);
    const { kept, left } = withoutOutliers(group.lines.map((line) => ({ line, ns: median(line.ns) })));
    const lines = kept.map((k) => k.line);
    const rows = lines.flatMap((l) => l.ns.map((ns) => ({ queue: l.queue, regime: l.regime, value: value(ns) })));
    const middles = lines.map((l) => ({ queue: l.queue, regime: l.regime, value: value(median(l.ns)), low: value(Math.max(...l.ns)), high: value(Math.min(...l.ns)) }));
    const all = rows.map((r) => r.value), wide = Math.max(...all) / Math.min(...all) > 30;
    const options: Plot.PlotOptions = {
      x: { label: group.latency ? "ns →" : "items per second →", grid: true, nice: true, tickFormat: "~s", ticks: 5, ...(wide ? { type: "log" } : { zero: true }) },
      marks: [
        Plot.link(middles, { x1: "low", x2: "high", y1: "queue", y2: "queue", stroke: "regime", strokeOpacity: 0.4 }),
        Plot.dot(rows, { x: "value", y: "queue", stroke: "regime", symbol: "regime", r: 3.2, strokeOpacity: 0.75 }),
        Plot.tickX(middles, { x: "value", y: "queue", stroke: "regime", strokeWidth: 3, insetTop: 4, insetBottom: 4 }),
      ],
    };
    return { options, names: [...new Set(lines.map((l) => l.queue))], left };
  }, [group]);
  return (
    <figure id="bench-workload">
      <figcaption><b>One workload, every repetition</b> <span class="quiet small block">dots are repetitions, the bar is their median<RegimeKey of={group.lines.map((l) => l.regime)} /></span></figcaption>
      <label class="small">Workload <select id="workload-choice" value={titleOf(group)} onChange={(e) => choose(e.currentTarget.value)}>{groups.map((g) => <option key={titleOf(g)} value={titleOf(g)}>{titleOf(g)}</option>)}</select></label>
      <Chart options={options} names={names} label={`${titleOf(group)}; the table of medians has the figures`} />
      {left.length ? <p class="small quiet left-out">Left out, more than {outlier} times the median of these: {left.map((l) => `${l.line.queue} ${nanos(l.ns)} ns`).join(", ")}.</p> : null}
    </figure>
  );
}

function RatioChart({ ratios }: { ratios: Ratio[] }) {
  const workloads = useMemo(() => [...new Set(ratios.map(titleOf))], [ratios]);
  const [chosen, choose] = useState(workloads[0] ?? "");
  const shown = workloads.includes(chosen) ? chosen : workloads[0] ?? "";
  const { options, names, left, regimes } = useMemo(() => {
    const here = ratios.filter((r) => titleOf(r) === shown);
    const { kept, left } = withoutOutliers(here.map((r) => ({ r, ns: Math.max(r.median, 1) })));
    const rows = kept.map(({ r }) => ({ ...r, regime: regimeName(r.regime), ratio: r.median, name: r.peer, low: Math.max(r.low, r.median / outlier), high: Math.min(r.high, r.median * outlier) }));
    const domain = [Math.min(0.5, ...rows.map((r) => r.low * 0.9)), Math.max(2, ...rows.map((r) => r.high * 1.1))];
    const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].filter((t) => t >= domain[0]! && t <= domain[1]!);
    const options: Plot.PlotOptions = {
      x: { label: "times as fast as the peer →", type: "log", domain, ticks, grid: true, tickFormat: (d: number) => `${d}×` },
      marks: [...ratioMarks(rows)],
    };
    return { options, names: [...new Set(rows.map((r) => r.name))], left, regimes: here.map((r) => r.regime) };
  }, [ratios, shown]);
  return (
    <figure id="bench-ratios">
      <figcaption><b>Ringproof against its peers</b> <span class="quiet small block">median of neighbouring repetitions, and its 95 % interval; right of 1× ringproof is faster<RegimeKey of={regimes} /></span></figcaption>
      <label class="small">Workload <select id="ratio-choice" value={shown} onChange={(e) => choose(e.currentTarget.value)}>{workloads.map((w) => <option key={w} value={w}>{w}</option>)}</select></label>
      <Chart options={options} names={names} label={`Ratio to peers, ${shown}; the table of medians has the figures`} />
      {left.length ? <p class="small quiet left-out">Left out, more than {outlier} times the median of these: {left.map(({ r }) => `${r.peer} ${times(r.median)}×`).join(", ")}.</p> : null}
    </figure>
  );
}

/** Peers that have no speed to compare with. */
function Collapsed({ collapsed }: { collapsed: Collapse[] }) {
  if (!collapsed.length) return null;
  return (
    <div class="apart" id="collapsed">
      <p><b>Came to a standstill.</b> These peers stopped or nearly stopped in these workloads: their threads shared a CPU, or one lost it while the others waited for its turn. They are in no ratio, median or chart.</p>
      <ul class="small">{[...new Set(collapsed.map((c) => c.peer))].map((peer) => (
        <li key={peer}><b>{peer}</b> <span class="quiet">{collapsed.filter((c) => c.peer === peer).map((c) => `${c.workload}${c.placement ? ` ${c.placement}` : ""} (${c.why.replace(/^collapsed: /, "")})`).join("; ")}</span></li>
      ))}</ul>
    </div>
  );
}

interface Entry { key: string; group: Group; line: Line; collapsed: boolean }

function Row({ entry: { group, line, collapsed } }: { entry: Entry }) {
  const ns = median(line.ns), shaky = line.ns.length - line.steady;
  return (
    <tr>
      <th scope="row">{group.workload}{line.queue ? <> <b>{line.queue}</b></> : null} <span class="small quiet">{group.placement}</span></th>
      <td data-label="Regime">{line.regime === "none" ? "" : <span class={`key ${line.regime}`}>{line.regime === "near" ? "● " : line.regime === "far" ? "◆ " : ""}{line.regime}</span>}</td>
      <td data-label="ns" class="num">{nanos(ns)}</td>
      <td data-label="Worst" class="num">{nanos(Math.max(...line.ns))}{scattered(line.ns) ? <span class="tag unseen">scattered</span> : null}</td>
      <td data-label="Rate" class="num">{si(1e9 / ns, "/s")}{line.bytes ? <span class="small quiet block">{si(line.bytes, "B/s")}</span> : null}</td>
      <td data-label="Ringproof's ratio" class="num">{collapsed ? <span class="tag unseen">standstill</span> : line.ratio ? <>{times(line.ratio.median)}×<span class="small quiet block">{times(line.ratio.low)}–{times(line.ratio.high)}</span></> : ""}</td>
      <td data-label="Of the limit" class="num">{line.limit === undefined ? "" : `${(line.limit * 100).toFixed(0)} %`}</td>
      <td data-label="Ping-pong" class="num">{line.before === undefined ? "" : `${line.before.toFixed(0)}, ${line.after?.toFixed(0) ?? "?"} ns`}</td>
      <td data-label="Runs" class="num">{line.ns.length}{shaky ? <span class="tag unseen">{shaky} unsteady</span> : null}</td>
    </tr>
  );
}

function Medians({ groups, collapsed }: { groups: Group[]; collapsed: Collapse[] }) {
  const [text, setText] = useState(""), [open, setOpen] = useState(false);
  const entries = useMemo(() => groups.flatMap((group) => group.lines.map((line): Entry => ({
    key: JSON.stringify([group.workload, group.placement, line.queue, line.regime]), group, line,
    collapsed: line.ratio?.collapsed ?? collapsed.some((c) => c.workload === group.workload && c.placement === group.placement && c.peer === line.queue),
  }))), [groups, collapsed]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const left = useMemo(() => entries.filter(({ group, line }) => words.every((w) => `${group.workload} ${group.placement} ${line.queue} ${line.regime}`.toLowerCase().includes(w))), [entries, words.join(" ")]);
  return (
    <details class="more" id="bench-medians" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>All {entries.length} medians as a table</summary>
      {open ? (
        <>
          <div class="filters" role="search" aria-label="Filter the benchmarks">
            <label class="field grow">Benchmark<input id="bench-text" type="search" placeholder="records:64 boost" value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
            <output id="bench-count">{left.length} of {entries.length}</output>
          </div>
          <LongTable id="bench-table" label="Benchmarks, a list that scrolls" items={left} keyOf={(e) => e.key} columns={9} estimate={54} row={(entry) => <Row entry={entry} />}
            caption="Medians of the repetitions. The ratio is ringproof's speed to this queue's, in the same regime: above 1× ringproof is faster. Scattered: the worst repetition is above 1.5 times the median."
            head={<tr><th scope="col">Benchmark</th><th scope="col"><Term of="regime">Regime</Term></th><th scope="col" class="num">ns</th><th scope="col" class="num">Worst</th><th scope="col" class="num">Rate</th><th scope="col" class="num">Ringproof's ratio</th><th scope="col" class="num">Of the limit</th><th scope="col" class="num">Ping-pong</th><th scope="col" class="num">Runs</th></tr>} />
        </>
      ) : null}
    </details>
  );
}

export function Bench({ report, runs, groups, aggregates }: { report: Report; runs: Run[]; groups: Group[]; aggregates: Benchmark[] }) {
  const { collapsed } = report.summary, ratios = report.summary.ratios.filter((r) => !r.collapsed), missing = missingPeers(report);
  const still = (g: Group, l: Line) => l.ratio?.collapsed || collapsed.some((c) => c.workload === g.workload && c.placement === g.placement && c.peer === l.queue);
  const moving = useMemo(() => groups.map((g) => ({ ...g, lines: g.lines.filter((l) => !still(g, l)) })).filter((g) => g.lines.length), [groups, collapsed]);
  const charted = moving.filter((g) => g.lines.some((l) => l.queue));
  return (
    <>
      {runs.length > 1 ? <Runs runs={runs} /> : null}
      <div class="charts">
        {ratios.length ? <RatioChart ratios={ratios} /> : null}
        {charted.length ? <WorkloadChart groups={charted} /> : null}
        <AxisCharts groups={charted} />
        <HeatMap groups={moving} />
        <Tails aggregates={aggregates} />
      </div>
      <Collapsed collapsed={collapsed} />
      {missing.length ? <details class="more" id="missing-peers"><summary>{missing.length} {missing.length === 1 ? "peer is" : "peers are"} not installed, so not compared with</summary><p class="small quiet">{missing.join(", ")}</p></details> : null}
      <Medians groups={groups} collapsed={collapsed} />
      {groups.length ? <p class="small quiet">{count(groups.length)} workloads; <Term of="placement">placement</Term> and <Term of="regime">regime</Term> say where the threads ran.</p> : null}
    </>
  );
}
