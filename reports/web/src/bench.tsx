// SPDX-License-Identifier: Apache-2.0
// Every repetition is a dot, so that the spread is seen and not only a median.
import * as Plot from "@observablehq/plot";
import { useMemo } from "preact/hooks";
import { Chart, RegimeKey, ratioMarks } from "./chart";
import { Runs } from "./compare";
import { type Ratio, type Report, warningsOf } from "./data";
import { count, median, si } from "./format";
import { type Group, type Line, groupsOf, regimeName } from "./measured";
import { newestOf, runsOf } from "./runs";
import { Tails } from "./tails";

function GroupChart({ group }: { group: Group }) {
  const { options, names } = useMemo(() => {
    const value = (ns: number) => (group.latency ? ns : 1e9 / ns);
    const rows = group.lines.flatMap((l) => l.ns.map((ns) => ({ queue: l.queue, regime: l.regime, value: value(ns) })));
    const middles = group.lines.map((l) => ({ queue: l.queue, regime: l.regime, value: value(median(l.ns)), low: value(Math.max(...l.ns)), high: value(Math.min(...l.ns)) }));
    const all = rows.map((r) => r.value), wide = Math.max(...all) / Math.min(...all) > 30;
    const options: Plot.PlotOptions = {
      x: { label: group.latency ? "ns →" : "items per second →", grid: true, nice: true, tickFormat: "~s", ticks: 5, ...(wide ? { type: "log" } : { zero: true }) },
      marks: [
        Plot.link(middles, { x1: "low", x2: "high", y1: "queue", y2: "queue", stroke: "regime", strokeOpacity: 0.4 }),
        Plot.dot(rows, { x: "value", y: "queue", stroke: "regime", symbol: "regime", r: 3.2, strokeOpacity: 0.75 }),
        Plot.tickX(middles, { x: "value", y: "queue", stroke: "regime", strokeWidth: 3, insetTop: 4, insetBottom: 4 }),
      ],
    };
    return { options, names: [...new Set(group.lines.map((l) => l.queue))] };
  }, [group]);
  return (
    <figure>
      <figcaption><b>{group.workload}</b> {group.placement} <span class="quiet small"><br />dots are repetitions, the bar is their median<RegimeKey of={group.lines.map((l) => l.regime)} /></span></figcaption>
      <Chart options={options} names={names} label={`${group.workload} ${group.placement}; the table below has the figures`} />
    </figure>
  );
}

function RatioChart({ ratios }: { ratios: Ratio[] }) {
  const { options, names } = useMemo(() => {
    const rows = ratios.map((r) => ({ ...r, regime: regimeName(r.regime), ratio: r.median, name: `${r.workload} ${r.placement}: ${r.peer}` }));
    const domain = [Math.min(0.5, ...rows.map((r) => r.low * 0.9)), Math.max(2, ...rows.map((r) => r.high * 1.1))];
    const ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].filter((t) => t >= domain[0]! && t <= domain[1]!);
    const options: Plot.PlotOptions = {
      x: { label: "times as fast as the peer →", type: "log", domain, ticks, grid: true, tickFormat: (d: number) => `${d}×` },
      marks: [
        ...ratioMarks(rows),
      ],
    };
    return { options, names: [...new Set(rows.map((r) => r.name))] };
  }, [ratios]);
  return (
    <figure>
      <figcaption><b>Ringproof against its peers</b> <span class="quiet small"><br />median of neighbouring repetitions, and their least to most; right of 1× ringproof is faster<RegimeKey of={ratios.map((r) => r.regime)} /></span></figcaption>
      <Chart options={options} names={names} label="Ratio to peers; the table below has the figures" />
    </figure>
  );
}

function Row({ group, line }: { group: Group; line: Line }) {
  const ns = median(line.ns), shaky = line.ns.length - line.steady;
  return (
    <tr>
      <th scope="row">{group.workload}{line.queue ? <> <b>{line.queue}</b></> : null} <span class="small quiet">{group.placement}</span></th>
      <td data-label="Regime">{line.regime === "none" ? "" : <span class={`key ${line.regime}`}>{line.regime === "near" ? "● " : line.regime === "far" ? "◆ " : ""}{line.regime}</span>}</td>
      <td data-label="ns" class="num">{ns < 1000 ? ns.toPrecision(3) : count(ns)}</td>
      <td data-label="Rate" class="num">{si(1e9 / ns, "/s")}{line.bytes ? <span class="small quiet"><br />{si(line.bytes, "B/s")}</span> : null}</td>
      <td data-label="Against ringproof" class="num">{line.ratio ? `${line.ratio.median.toFixed(2)}× (${line.ratio.low.toFixed(2)}–${line.ratio.high.toFixed(2)})` : ""}</td>
      <td data-label="Of the limit" class="num">{line.limit === undefined ? "" : `${(line.limit * 100).toFixed(0)} %`}</td>
      <td data-label="Ping-pong" class="num">{line.before === undefined ? "" : `${line.before.toFixed(0)}, ${line.after?.toFixed(0) ?? "?"} ns`}</td>
      <td data-label="Runs" class="num">{line.ns.length}{shaky ? <> <span class="tag unseen">{shaky} unsteady</span></> : null}</td>
    </tr>
  );
}

export function Bench({ report, ratios }: { report: Report; ratios: Ratio[] }) {
  const runs = useMemo(() => runsOf(report), [report]);
  const { results, aggregates } = useMemo(() => newestOf(runs), [runs]);
  const groups = useMemo(() => groupsOf(results.filter((r) => r.outcome === "passed"), aggregates, ratios), [results, aggregates, ratios]);
  const warnings = warningsOf(report);
  return (
    <>
      {warnings.length ? <ul class="warnings">{warnings.map((w, i) => <li key={i}>{w}</li>)}</ul> : null}
      {runs.length > 1 ? <Runs runs={runs} /> : null}
      {ratios.length ? <div class="charts"><RatioChart ratios={ratios} /></div> : null}
      <div class="charts">{groups.filter((g) => g.lines.some((l) => l.queue)).map((g, i) => <GroupChart key={i} group={g} />)}</div>
      <Tails aggregates={aggregates} />
      <div class="scroll">
        <table id="bench-table" class="stack">
          <caption>Medians of the repetitions. The ratio is ringproof's speed to this queue's, in the same regime: above 1× ringproof is faster.</caption>
          <thead><tr><th scope="col">Benchmark</th><th scope="col">Regime</th><th scope="col" class="num">ns</th><th scope="col" class="num">Rate</th><th scope="col" class="num">Ringproof's ratio</th><th scope="col" class="num">Of the limit</th><th scope="col" class="num">Ping-pong before, after</th><th scope="col" class="num">Runs</th></tr></thead>
          <tbody>{groups.map((g, i) => g.lines.map((l, k) => <Row key={`${i}-${k}`} group={g} line={l} />))}</tbody>
        </table>
      </div>
    </>
  );
}
