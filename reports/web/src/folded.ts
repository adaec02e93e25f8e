// SPDX-License-Identifier: Apache-2.0
// One row a scenario or litmus test, with its models folded into it.
import type { LitmusResult, Outcome, Placed, VerifyResult } from "./data";

export interface Folded<Result> {
  key: string;
  name: string;
  file?: string;
  line?: number;
  outcome: Outcome; // the worst of its results
  results: Placed<Result>[];
}

const severity: Record<Outcome, number> = { passed: 0, skipped: 1, inconclusive: 2, failed: 3, error: 4 };

export const worst = (outcomes: Outcome[]): Outcome => outcomes.reduce((a, b) => (severity[b] > severity[a] ? b : a), "passed" as Outcome);

/** Those that are not as expected come first; otherwise the order stays. */
export function folded<Result extends { name: string; file?: string; line?: number }>(results: Placed<Result>[], apart: (r: Result) => string = () => ""): Folded<Result>[] {
  const rows = new Map<string, Folded<Result>>();
  for (const placed of results) {
    const { name, file, line } = placed.result, key = JSON.stringify([name, file ?? "", apart(placed.result)]);
    const row = rows.get(key);
    if (row) row.results.push(placed);
    else rows.set(key, { key, name, file, line, outcome: placed.outcome, results: [placed] });
  }
  const all = [...rows.values()];
  for (const row of all) row.outcome = worst(row.results.map((r) => r.outcome));
  const rank = (o: Outcome) => (o === "skipped" ? 0 : severity[o]);
  return all.sort((a, b) => rank(b.outcome) - rank(a.outcome));
}

export type Scenario = Folded<VerifyResult>;
export type Test = Folded<LitmusResult>;

/** Skipped tests by the reason that was given. */
export function skippedOf(results: Placed<LitmusResult>[]): { reason: string; names: string[] }[] {
  const reasons = new Map<string, string[]>();
  for (const { result: r, outcome } of results) {
    if (outcome !== "skipped") continue;
    // The reason may name the test it is about: what is left is the same for all of a kind.
    const said = (String((r as { message?: string }).message ?? "") || "no reason was given").split(r.name).join("…");
    const reason = `${r.dialect ? `${r.dialect}: ` : ""}${said}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), r.name]);
  }
  return [...reasons].map(([reason, names]) => ({ reason, names })).sort((a, b) => b.names.length - a.names.length);
}
