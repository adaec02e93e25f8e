// SPDX-License-Identifier: Apache-2.0
// Benchmarks that differ in one number only: record size, producers, load. Each such number is an axis of a chart.
import { median } from "./format";
import type { Group } from "./measured";

export interface Point { queue: string; at: number; ns: number }
export interface Axis {
  key: string;
  title: string; // the workload with … in the number's place
  what: string; // of the number, with its unit
  by: string;
  placement: string;
  regime: string;
  points: Point[];
  left: Point[]; // outliers, which would flatten the rest
}

const kinds: [RegExp, string, string][] = [
  [/\/records:(\d+)\//, "bytes a record", "record size"], [/\/producers:(\d+)\//, "producers", "producers"], [/\/writers:(\d+)\//, "writers", "writers"],
  [/\/load:(\d+)$/, "load, % of the peak", "load"], [/\/chunks:(\d+)\//, "bytes a chunk", "chunk size"],
];

/** More than this many times the median of all at the same place: left out of a chart, and named. */
export const outlier = 10;

export function withoutOutliers<P extends { ns: number }>(points: P[]): { kept: P[]; left: P[] } {
  const middle = median(points.map((p) => p.ns)), far = (p: P) => p.ns > outlier * middle;
  return { kept: points.filter((p) => !far(p)), left: points.filter(far) };
}

/** What the chart says of a group: where queues have several regimes, the one that most were measured in. */
export function axesOf(groups: Group[]): Axis[] {
  const axes = new Map<string, Axis>();
  for (const g of groups) {
    for (const [pattern, what, by] of kinds) {
      const found = pattern.exec(g.workload);
      if (!found || g.placement === "oversubscribed") continue;
      const title = g.workload.replace(found[0], found[0].replace(found[1]!, "…"));
      for (const l of g.lines) {
        if (!l.queue) continue;
        const key = JSON.stringify([title, g.placement, l.regime]);
        const axis = axes.get(key) ?? { key, title, what, by, placement: g.placement, regime: l.regime, points: [], left: [] };
        axes.set(key, axis);
        axis.points.push({ queue: l.queue, at: Number(found[1]), ns: median(l.ns) });
      }
    }
  }
  const rank = (a: Axis) => kinds.findIndex(([, what]) => what === a.what);
  return [...axes.values()].sort((a, b) => rank(a) - rank(b)).filter((a) => new Set(a.points.map((p) => p.at)).size > 1).map((a) => {
    const left: Point[] = [], kept: Point[] = [];
    for (const at of new Set(a.points.map((p) => p.at))) {
      const apart = withoutOutliers(a.points.filter((p) => p.at === at));
      kept.push(...apart.kept), left.push(...apart.left);
    }
    return { ...a, points: kept, left };
  });
}
