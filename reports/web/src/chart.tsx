// SPDX-License-Identifier: Apache-2.0
import * as Plot from "@observablehq/plot";
import { useEffect, useRef } from "preact/hooks";

/** What near and far look like; colour is never the only difference. */
export const regimes = {
  color: { domain: ["near", "far", "none"], range: ["var(--near)", "var(--far)", "var(--accent)"] },
  symbol: { domain: ["near", "far", "none"], range: ["circle", "diamond", "circle"] },
} satisfies Plot.PlotOptions;

export function RegimeKey({ of }: { of: string[] }) {
  if (!of.some((r) => r === "near" || r === "far")) return null;
  return <>; {of.includes("near") ? <span class="key near">● near </span> : null}{of.includes("far") ? <span class="key far">◆ far </span> : null}says how far apart the two CPUs were</>;
}

/** Ratios about 1 with their least and most. Where a chart has both, near is drawn above and far below the line of their name, so that neither hides the other. */
export function ratioMarks(rows: { name: string; regime: string; ratio: number; low: number; high: number }[]): Plot.Markish[] {
  const shift = new Set(rows.map((r) => r.regime)).size > 1 ? 5 : 0;
  const apart = [["near", -shift], ["far", shift], ["none", 0]] as const;
  return [
    Plot.ruleX([1], { strokeDasharray: "4 3" }),
    ...apart.flatMap(([regime, dy]) => {
      const here = rows.filter((r) => r.regime === regime);
      return [
        Plot.link(here, { x1: "low", x2: "high", y1: "name", y2: "name", stroke: "regime", strokeWidth: 2, dy }),
        Plot.dot(here, { x: "ratio", y: "name", r: 4.5, fill: "regime", symbol: "regime", dy }),
      ];
    }),
  ];
}

/** An axis of names, with as much room as they need but not too much. */
function rowsOf(names: string[], width: number): Plot.PlotOptions {
  const room = Math.min(20 + Math.max(...names.map((n) => n.length)) * 7.4, width * 0.45);
  const most = Math.max(4, Math.floor((room - 16) / 7.4));
  return {
    height: 70 + names.length * 30, marginLeft: room,
    y: { label: null, domain: names, tickFormat: (name: string) => (name.length > most ? shortened(name, most) : name) },
  };
}

/** What tells names apart stands at their ends. */
const shortened = (name: string, most: number) => name.slice(0, Math.ceil(most * 0.4)) + "…" + name.slice(-Math.floor(most * 0.6 - 1));

/** Those of the ticks of a logarithmic axis whose words, of about 34 pixels, do not touch. */
function legible(ticks: number[], [low, high]: number[], room: number): number[] {
  const kept: number[] = [], at = (tick: number) => (Math.log(tick / low!) / Math.log(high! / low!)) * room;
  // 1 is what all others are compared with, so it stays whatever is beside it.
  for (const tick of [1, ...ticks]) if (ticks.includes(tick) && kept.every((k) => Math.abs(at(tick) - at(k)) >= 34)) kept.push(tick);
  return kept;
}

/** A chart as wide as its place and redrawn when that changes; with `names`, one of rows with names. */
export function Chart({ options, names, label }: { options: Plot.PlotOptions; names?: string[]; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let drawn = 0;
    const draw = () => {
      const width = Math.max(280, Math.min(element.clientWidth, 1280));
      if (width === drawn) return;
      drawn = width;
      const rows = names?.length ? rowsOf(names, width) : { marginLeft: 66 };
      const { x } = options, room = width - (rows.marginLeft ?? 0) - 26;
      const ticks = Array.isArray(x?.ticks) && Array.isArray(x.domain) ? { x: { ...x, ticks: legible(x.ticks as number[], x.domain as number[], room) } } : {};
      const chart = Plot.plot({
        marginRight: 26, marginBottom: 44, style: { fontSize: "12px", background: "transparent", fontFamily: "inherit", overflow: "visible" },
        ...regimes, ...options, ...ticks, ...rows, width,
      });
      // Within a picture only the picture has a name.
      for (const part of chart.querySelectorAll("[aria-label]")) part.setAttribute("data-mark", part.getAttribute("aria-label")!), part.removeAttribute("aria-label");
      for (const part of chart.querySelectorAll("[aria-description]")) part.removeAttribute("aria-description");
      chart.setAttribute("role", "img");
      chart.setAttribute("aria-label", label);
      element.replaceChildren(chart);
    };
    const watch = new ResizeObserver(draw);
    watch.observe(element);
    draw();
    return () => watch.disconnect();
  }, [options, names, label]);
  return <div class="chart" ref={box} />;
}
