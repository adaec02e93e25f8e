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
  replay_command?: string[];
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
  command?: string[];
  counterexample?: Counterexample | null;
  properties?: string[];
  assumptions?: { kind: string; standing: string; place?: string | null; times: number }[];
  /** Of `ringproof museum`: the published bug, before its fix or after it. */
  exhibit?: { name: string; fixed: boolean };
}

/** What another checker's scheduler says of a scenario. */
export interface Opinion {
  scenario: string;
  tool: string;
  scheduler: string;
  verdict: string;
  message: string;
  words?: string;
  ours?: string;
  agrees?: boolean | null;
  explanation?: string;
  runs?: number;
  seconds?: number;
  place?: string;
  history?: string;
}

export interface Opinions {
  sources: { tool: string; state: string; why?: string; install?: string; cannot_see?: string }[];
  verdicts: Opinion[];
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
  message?: string;
  machine?: string;
  letters?: { letter: string; least: string; without?: string }[];
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
  workload?: string;
  placement?: string;
  peer?: string;
  regime?: string;
  steady?: boolean;
  fraction_of_limit?: number;
  ratio_ours_to_peer_median?: number;
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
  mutants: number;
  document: number;
  result: number;
}

export interface Ratio {
  workload: string;
  placement: string;
  peer: string;
  regime: string;
  median: number;
  low: number;
  high: number;
  collapsed?: boolean;
}

/** What the ring guarantees: its proof and its cost. Which scenario shows what is decided in reports/data/guarantees.json. */
export interface Guarantee {
  id: string;
  title: string;
  promise: string;
  scenarios: number;
  mutants: number;
  results: number;
  held: number;
  breaks: number;
  refuted: number;
  unexpected: number;
  open: number;
  executions: number;
  models: string[];
  cost: {
    workload: string;
    queue: string;
    what: string;
    measured: boolean;
    placement?: string;
    regime?: string;
    ns?: number;
    low?: number;
    high?: number;
    repetitions?: number;
    peer?: string;
    ratio?: number;
    ratio_low?: number;
    ratio_high?: number;
  };
}

export interface Collapse {
  workload: string;
  placement: string;
  peer: string;
  why: string;
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
  counts_line?: string;
  unfit?: string[]; // why runs of benchmarks are not fit for their purpose
  compilers?: string[];
  tallies: Record<string, Record<Outcome, number>>;
  problems: { kind: string; outcome: Outcome; name: string; group: string; what: string }[];
  barriers: Barrier[];
  ratios: Ratio[];
  collapsed: Collapse[];
  guarantees: { all: Guarantee[]; unmapped: string[]; shown: string[][][] };
}

/** A result with its place (document and result number, which links use) and its outcome. */
export interface Placed<Result> {
  key: string;
  result: Result;
  outcome: Outcome;
  what: string;
  folder?: string; // that commands are for, relative to the repository
  shows?: string[]; // ids of the guarantees that a scenario of the ring shows
}

export interface Report {
  summary: Summary;
  documents: Document[];
  sources?: Record<string, Record<string, string>>; // file → line → text
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
      if (about) placed.push({ key: `${d}-${r}`, result, outcome: about.outcome, what: about.what, folder: document.content.environment?.folder, shows: report.summary.guarantees.shown[d]?.[r] });
    });
  });
  return placed;
}
