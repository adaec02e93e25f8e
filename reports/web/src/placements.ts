// SPDX-License-Identifier: Apache-2.0
// The same work at several placements: how its cost grows with the distance between the CPUs.
import { median } from "./format";
import type { Group, Line } from "./measured";

export interface Cell { ns: number; times: number } // times: of the least in its row
export interface HeatMap { columns: string[]; rows: { name: string; cells: (Cell | undefined)[] }[] }

/** From near to far, as `ringproof bench` names them. */
const nearest = ["same-cpu", "smt-sibling", "same-l2", "same-l3", "same-package", "other-package", "oversubscribed"];
const rank = (placement: string) => (nearest.indexOf(placement) + nearest.length + 1) % (nearest.length + 1);
const regimes = ["near", "none", "far"];

/** Stands for: ringproof's own queue in every workload, and the limits of the machine. */
export const everyWorkload = "";

const isShown = (workload: string, g: Group, l: Line) =>
  workload === everyWorkload ? l.queue === "ringproof" || g.workload.startsWith("limit/") : g.workload === workload;

export function heatMapOf(groups: Group[], workload: string): HeatMap {
  const columns = new Map<string, [number, number]>(), rows = new Map<string, Map<string, number>>();
  for (const g of groups)
    for (const l of g.lines) {
      if (!g.placement || !isShown(workload, g, l)) continue;
      const column = l.regime === "none" ? g.placement : `${g.placement}, ${l.regime}`;
      columns.set(column, [rank(g.placement), regimes.indexOf(l.regime)]);
      const name = workload === everyWorkload ? g.workload : l.queue || g.workload;
      rows.set(name, (rows.get(name) ?? new Map<string, number>()).set(column, median(l.ns)));
    }
  const several = [...rows].filter(([, cells]) => cells.size > 1);
  const ordered = [...columns].sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1]).map(([name]) => name)
    .filter((column) => several.some(([, cells]) => cells.has(column)));
  return {
    columns: ordered,
    rows: several.map(([name, cells]) => {
      const least = Math.min(...cells.values());
      return { name, cells: ordered.map((c) => { const ns = cells.get(c); return ns === undefined ? undefined : { ns, times: ns / least }; }) };
    }),
  };
}

/** What there is to choose: workloads of which some row has more than one placement. */
export const choicesOf = (groups: Group[]): string[] =>
  [everyWorkload, ...new Set(groups.map((g) => g.workload))].filter((w) => heatMapOf(groups, w).rows.length > 0);

/** 0 for the least in its row, 5 for 16 times that and more. The figures stand in the cells: colour is never the only difference. */
export const heatOf = (times: number): number => [1.25, 2, 4, 8, 16].filter((bound) => times >= bound).length;
