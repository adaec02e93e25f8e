// SPDX-License-Identifier: Apache-2.0
// Whether the machine was fit to measure, in the words of the benchmark.
import type { Report } from "./data";

export interface Fitness {
  state: "fit" | "warned" | "unfit" | "unknown";
  says: string;
  warnings: string[];
}

/** Why figures cannot be trusted fully. */
export const warningsOf = (report: Report): string[] =>
  [...new Set(report.documents.flatMap((d) => {
    if (d.kind !== "bench") return [];
    const head = d.content.context?.ringproof ?? {};
    return [...(head.interrupted ? ["interrupted: not everything was measured"] : []), ...((head.warnings ?? []) as string[])];
  }))];

/** Queues that could have been compared with. */
export const missingPeers = (report: Report): string[] =>
  [...new Set(report.documents.flatMap((d) => (d.kind === "bench" ? ((d.content.context?.ringproof?.peers_missing ?? []) as string[]) : [])))];

export function fitnessOf(report: Report): Fitness {
  const runs = report.documents.filter((d) => d.kind === "bench"), warnings = warningsOf(report);
  const unfit = report.summary.unfit ?? [];
  if (!runs.length) return { state: "unknown", says: "not measured: no benchmark results are in this report", warnings };
  if (unfit.length) return { state: "unfit", says: `not fit to measure: ${unfit[0]}`, warnings };
  const about = runs.map((d) => d.content.context?.ringproof?.fitness).find((f) => f?.measurements !== undefined);
  const disturbed = about ? `${about.unsteady ?? 0} of ${about.measurements} measurements were disturbed` : "";
  const cautions = warnings.length ? `${warnings.length} ${warnings.length === 1 ? "caution" : "cautions"}` : "";
  const says = ["fit to measure", [disturbed, cautions].filter(Boolean).join(", with ")].filter(Boolean).join(": ");
  return { state: warnings.length ? "warned" : "fit", says, warnings };
}
