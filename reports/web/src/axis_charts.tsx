// SPDX-License-Identifier: Apache-2.0
// A chart for each axis along which workloads were measured: how the cost grows with the record, the producers, the load.
import * as Plot from "@observablehq/plot";
import { useMemo, useState } from "preact/hooks";
import { type Axis, axesOf, outlier } from "./axes";
import { Chart } from "./chart";
import { count, nanos } from "./format";
import type { Group } from "./measured";

const ours = (queue: string) => queue.startsWith("ringproof");
const nameOf = (a: Axis) => `${a.title} ${a.placement}${a.regime === "none" ? "" : `, ${a.regime}`}`;

export function AxisCharts({ groups }: { groups: Group[] }) {
  const axes = useMemo(() => axesOf(groups), [groups]);
  const [chosen, choose] = useState("");
  const axis = axes.find((a) => a.key === chosen) ?? axes[0];
  const options = useMemo((): Plot.PlotOptions | null => {
    if (!axis) return null;
    const points = [...axis.points].sort((a, b) => a.at - b.at), steps = [...new Set(points.map((p) => p.at))];
    const last = new Map(points.filter((p) => ours(p.queue)).map((p) => [p.queue, p]));
    const lines = (mine: boolean) => Plot.line(points.filter((p) => ours(p.queue) === mine), {
      x: "at", y: "ns", z: "queue", marker: "circle", stroke: mine ? "var(--accent)" : "var(--quiet)", strokeWidth: mine ? 2.2 : 1.2, strokeOpacity: mine ? 1 : 0.65 });
    return {
      height: 320, marginRight: 90,
      x: { type: "point", domain: steps, label: `${axis.what} →`, tickFormat: (n: number) => count(n) },
      y: { type: "log", label: "↑ ns an operation", grid: true, nice: true, ticks: 5, tickFormat: "~s" },
      marks: [
        lines(false), lines(true),
        Plot.text([...last.values()].filter((p) => p.queue === "ringproof"), { x: "at", y: "ns", text: "queue", dx: 8, textAnchor: "start", fill: "currentColor" }),
        Plot.tip(points, Plot.pointer({ x: "at", y: "ns", title: (p: { queue: string; at: number; ns: number }) => `${p.queue}\n${count(p.at)}: ${nanos(p.ns)} ns`, fill: "var(--surface)" })),
      ],
    };
  }, [axis]);
  if (!axis || !options) return null;
  return (
    <figure id="bench-axis">
      <figcaption><b>By {axis.by}</b> <span class="quiet small block">medians; ours are the strong lines, the table of medians has all names</span></figcaption>
      <label class="small">Axis <select id="axis-choice" value={axis.key} onChange={(e) => choose(e.currentTarget.value)}>{axes.map((a) => <option key={a.key} value={a.key}>{nameOf(a)}</option>)}</select></label>
      <Chart options={options} label={`${nameOf(axis)}; the table of medians has the figures`} />
      {axis.left.length ? <p class="small quiet left-out">Left out, more than {outlier} times the median at that place: {axis.left.map((p) => `${p.queue} at ${count(p.at)}, ${nanos(p.ns)} ns`).join("; ")}.</p> : null}
    </figure>
  );
}
