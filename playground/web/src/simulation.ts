// SPDX-License-Identifier: Apache-2.0
// The page's side of the worker: one test at a time, the newest wins, and any can be stopped.
import SimulatorWorker from "./worker?worker&inline";

export interface Request { text: string; model: string; unroll: number }

export interface Execution {
  state: string;
  witness: boolean;
  events: { id: number; name: string; thread: number; kind: string; location?: string; loaded?: string; stored?: string; labels: string[]; line?: number }[];
  relations: Record<string, [number, number][]>;
}

/** What litmus/src/answer makes: a result of schema ringproof-litmus/1, or what is wrong with the text. */
export interface Answer {
  verdict: string;
  name: string;
  dialect: string;
  model: string;
  models: string[];
  condition: string;
  observation: "Never" | "Sometimes" | "Always" | null;
  states: { state: string; count: number; witness: boolean }[];
  positive: number;
  negative: number;
  candidates: number;
  flags: string[];
  thin_air: { allowed: boolean };
  bounds: { unroll: number; reached: boolean };
  seconds: number;
  executions: Execution[];
}
export interface Problem { verdict: "error"; message: string; line?: number; column?: number }

export type ToWorker = { module: WebAssembly.Module } | (Request & { id: number });
export type FromWorker = { id: number; answer: Answer | Problem; milliseconds: number } | { id: number; crash: string };

export type Outcome =
  | { kind: "answer"; answer: Answer; milliseconds: number }
  | { kind: "problem"; problem: Problem }
  | { kind: "stopped"; milliseconds: number };

async function compiled(base64: string): Promise<WebAssembly.Module> {
  const zipped = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

const broken = (error: unknown): Outcome => ({ kind: "problem", problem: { verdict: "error", message: `this browser cannot run the simulator: ${error}` } });

export class Simulation {
  private readonly module: Promise<WebAssembly.Module>;
  private worker: Promise<Worker>;
  private last = 0;
  private running: { id: number; begin: number; done: (outcome: Outcome | null) => void } | undefined;

  constructor(base64: string) {
    this.module = compiled(base64);
    this.worker = this.start();
  }

  /** null: a newer request has taken its place. */
  run(request: Request): Promise<Outcome | null> {
    if (this.running) this.restart(null);
    const id = ++this.last;
    return new Promise((done) => {
      this.running = { id, begin: performance.now(), done };
      this.worker.then((worker) => id === this.last && worker.postMessage({ ...request, id } satisfies ToWorker), (error) => this.end(broken(error)));
    });
  }

  stop() {
    if (this.running) this.restart({ kind: "stopped", milliseconds: performance.now() - this.running.begin });
  }

  private end(outcome: Outcome | null) {
    const { running } = this;
    this.running = undefined;
    running?.done(outcome);
  }

  private restart(outcome: Outcome | null) {
    ++this.last; // nothing that is still on its way to the old worker is sent
    this.worker.then((worker) => worker.terminate(), () => {});
    this.worker = this.start();
    this.end(outcome);
  }

  private async start(): Promise<Worker> {
    const module = await this.module;
    const worker = new SimulatorWorker();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.id !== this.running?.id) return;
      if ("crash" in data)
        this.restart({ kind: "problem", problem: { verdict: "error", message: `the simulator gave up (${data.crash}): make the test smaller` } });
      else if (data.answer.verdict === "error") this.end({ kind: "problem", problem: data.answer as Problem });
      else this.end({ kind: "answer", answer: data.answer as Answer, milliseconds: data.milliseconds });
    };
    worker.onerror = (error) => {
      if (this.running) this.restart(broken(error.message));
    };
    worker.postMessage({ module } satisfies ToWorker);
    return worker;
  }
}
