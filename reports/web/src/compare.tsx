// SPDX-License-Identifier: Apache-2.0
// Two runs side by side, and one benchmark through all of them.
import * as Plot from "@observablehq/plot";
import { useMemo, useState } from "preact/hooks";
import { Chart, RegimeKey, ratioMarks } from "./chart";
import { median, nanos } from "./format";
import { type Change, type Run, type Track, changeOf, tracksOf } from "./runs";
import { LongTable } from "./virtual";

const percent = (ratio: number) => `${ratio >= 1 ? "+" : "−"}${Math.abs((ratio - 1) * 100).toFixed(1)} %`;

function CompareChart({ changes }: { changes: Change[] }) {
  const { options, names } = useMemo(() => {
    const furthest = [...changes].sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
    const names = [...new Set(furthest.map((c) => c.name))].slice(0, 24), rows = furthest.filter((c) => names.includes(c.name));
    const domain = [Math.min(0.8, ...rows.map((r) => r.low * 0.95)), Math.max(1.25, ...rows.map((r) => r.high * 1.05))];
    const options: Plot.PlotOptions = {
      x: { label: "times as fast as before →", type: "log", domain, ticks: [0.1, 0.2, 0.5, 0.8, 1, 1.25, 2, 5, 10].filter((t) => t >= domain[0]! && t <= domain[1]!), grid: true, tickFormat: (d: number) => `${d}×` },
      marks: [
        ...ratioMarks(rows),
      ],
    };
    return { options, names };
  }, [changes]);
  return (
    <figure id="bench-compare">
      <figcaption><b>The newest run against the one before</b> <span class="quiet small"><br />ratio of speeds and its 95 % interval, the furthest first; right of 1× it has become faster<RegimeKey of={changes.map((c) => c.regime)} /></span></figcaption>
      <Chart options={options} names={names} label="Change from run to run; the table below has the figures" />
    </figure>
  );
}

function HistoryChart({ tracks, runs }: { tracks: Track[]; runs: Run[] }) {
  const names = useMemo(() => [...new Set(tracks.map((t) => t.name))], [tracks]);
  const [chosen, choose] = useState(names[0] ?? "");
  const shown = names.includes(chosen) ? chosen : names[0] ?? "";
  const options = useMemo((): Plot.PlotOptions => {
    const rows = tracks.filter((t) => t.name === shown).flatMap((t) =>
      t.points.map((p) => ({ run: p.run.label, regime: t.regime, ns: median(p.ns), low: Math.min(...p.ns), high: Math.max(...p.ns) })));
    return {
      height: 280, marginBottom: 56,
      x: { type: "point", label: null, domain: runs.map((r) => r.label), padding: 0.3, tickFormat: (label: string) => (label.length > 16 ? label.slice(0, 15) + "…" : label), tickRotate: runs.length > 4 ? -25 : 0 },
      y: { label: "↑ ns", grid: true, zero: true, nice: true },
      marks: [
        Plot.ruleX(rows, { x: "run", y1: "low", y2: "high", stroke: "regime", strokeWidth: 2, strokeOpacity: 0.45 }),
        Plot.line(rows, { x: "run", y: "ns", z: "regime", stroke: "regime", strokeWidth: 1.5 }),
        Plot.dot(rows, { x: "run", y: "ns", fill: "regime", symbol: "regime", r: 4.5 }),
      ],
    };
  }, [tracks, runs, shown]);
  return (
    <figure id="bench-history">
      <figcaption><b>From run to run</b> <span class="quiet small"><br />medians, and least to most<RegimeKey of={tracks.filter((t) => t.name === shown).map((t) => t.regime)} /></span></figcaption>
      <label class="small">Benchmark <select id="history-choice" value={shown} onChange={(e) => choose(e.currentTarget.value)}>{names.map((n) => <option key={n} value={n}>{n}</option>)}</select></label>
      <Chart options={options} label={`${shown} from run to run; the table of changes has the last two`} />
    </figure>
  );
}

export function Runs({ runs }: { runs: Run[] }) {
  const tracks = useMemo(() => tracksOf(runs), [runs]);
  const changes = useMemo(() => tracks.map(changeOf), [tracks]);
  if (!tracks.length) return null;
  return (
    <>
      <div class="charts"><CompareChart changes={changes} /><HistoryChart tracks={tracks} runs={runs} /></div>
      <details class="more">
        <summary>All {changes.length} changes as a table</summary>
        <LongTable id="compare-table" label="Changes, a list that scrolls" items={changes} keyOf={(c) => `${c.name} ${c.regime}`} columns={5} estimate={46}
          caption={<>The change is of speed: + is faster. Whether chance explains a change, <code>ringproof bench compare</code> tells.</>}
          head={<tr><th scope="col">Benchmark</th><th scope="col">Regime</th><th scope="col" class="num">Before, ns</th><th scope="col" class="num">Now, ns</th><th scope="col" class="num">Change of speed (95 %)</th></tr>}
          row={(c) => (
            <tr>
              <th scope="row">{c.name}</th>
              <td data-label="Regime">{c.regime === "none" ? "" : c.regime}</td>
              <td data-label="Before, ns" class="num">{nanos(c.before)}</td>
              <td data-label="Now, ns" class="num">{nanos(c.after)}</td>
              <td data-label="Change" class="num">{percent(c.ratio)} ({percent(c.low)} … {percent(c.high)})</td>
            </tr>
          )} />
      </details>
    </>
  );
}
