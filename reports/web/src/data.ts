// SPDX-License-Identifier: Apache-2.0
// What the report put into this page. See reports/schema/ for the documents.

export type Outcome = "passed" | "failed" | "inconclusive" | "skipped" | "error";
export type Scalar = string | number | boolean | null;

export interface GraphEvent {
  id: number;
  thread: number | string;
  kind: string;
  location?: string | null;
  value?: Scalar;
  order?: string | null;
  label?: string | null;
  file?: string | null;
  line?: number | null;
  rf?: number | null;
}

export interface Counterexample {
  kind: string;
  message: string;
  replay?: string;
  events: GraphEvent[];
  culprits?: number[];
  relations?: Record<string, [number, number][]>;
}

export interface VerifyResult {
  name: string;
  model: string;
  verdict: string;
  expected?: string;
  mutant?: string | null;
  message?: string;
  executions: number;
  blocked?: number;
  events?: number;
  seconds?: number;
  bounds?: Record<string, unknown>;
  covered?: Record<string, unknown>;
  file?: string;
  line?: number;
  counterexample?: Counterexample | null;
}

export interface LitmusResult {
  name: string;
  file?: string;
  dialect?: string;
  engine?: string;
  model?: string | null;
  condition?: string;
  observation?: string | null;
  states?: { state: string; count?: number; witness?: boolean }[];
  positive?: number;
  negative?: number;
  iterations?: number;
  seconds?: number;
  threads?: number;
  affinity?: string | unknown[] | null;
  verdict?: string | null;
}

export interface Benchmark {
  name: string;
  run_name?: string;
  run_type?: string;
  real_time?: number;
  time_unit?: string;
  label?: string;
  items_per_second?: number;
  bytes_per_second?: number;
  ns_per_item?: number;
  rtt_before_ns?: number;
  rtt_after_ns?: number;
  ratio?: number;
  [counter: string]: unknown;
}

interface Document {
  file: string;
  kind: "verify" | "litmus" | "bench";
  content: Record<string, any>;
  outcomes: ({ outcome: Outcome; what: string } | null)[];
}

export interface Barrier {
  letter: string;
  model: string;
  finding: "needed" | "survived" | "hole" | "undecided";
  refuted: number;
  twins: number;
  document: number;
  result: number;
}

export interface Ratio {
  name: string;
  median: number;
  low: number;
  high: number;
  label: string;
}

export interface Summary {
  status: "ok" | "failed" | "inconclusive" | "skipped" | "empty";
  headline: string;
  verify_line: string;
  litmus_line: string;
  executions: number;
  blocked: number;
  iterations: number;
  models: string[];
  tallies: Record<string, Record<Outcome, number>>;
  problems: { kind: string; outcome: Outcome; name: string; group: string; what: string }[];
  barriers: Barrier[];
  ratios: Ratio[];
}

/** A result with its place (document and result number, which links use) and its outcome. */
export interface Placed<Result> {
  key: string;
  result: Result;
  outcome: Outcome;
  what: string;
}

export interface Report {
  summary: Summary;
  documents: Document[];
}

export function readReport(): Report | null {
  const text = document.getElementById("ringproof-data")?.textContent ?? "null";
  const data = JSON.parse(text) as Report | string | null;
  return data && typeof data === "object" ? data : null;
}

export function resultsOf<Result>(report: Report, kind: Document["kind"]): Placed<Result>[] {
  const placed: Placed<Result>[] = [];
  report.documents.forEach((document, d) => {
    if (document.kind !== kind) return;
    const results = (kind === "bench" ? document.content.benchmarks : document.content.results) as Result[];
    results.forEach((result, r) => {
      const about = document.outcomes[r];
      if (about) placed.push({ key: `${d}-${r}`, result, outcome: about.outcome, what: about.what });
    });
  });
  return placed;
}
