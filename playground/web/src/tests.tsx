// SPDX-License-Identifier: Apache-2.0
// A test, and what its model allows. It runs while it is typed.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, seconds } from "../../../reports/web/src/format";
import { Controls, Examples } from "./controls";
import { Editor, type Problem } from "./editor";
import { Executions } from "./executions";
import type { Shared } from "./link";
import type { Answer, Outcome, Simulation } from "./simulation";
import { States } from "./states";
import { verdictOf, warningsOf } from "./words";

const pause = 250; // after a key, until the test runs: milliseconds
const patience = 150; // before it is said that it runs

function Verdict({ answer, milliseconds }: { answer: Answer; milliseconds: number }) {
  const { tone, title, detail } = verdictOf(answer), all = answer.positive + answer.negative;
  const marks = { ok: "✓", failed: "✗", inconclusive: "?", asked: "→" };
  return (
    <div class={`outcome ${tone}`}>
      <span class="mark" aria-hidden="true">{marks[tone]}</span>
      <div>
        <h2 id="verdict">{title}</h2>
        <p id="verdict-detail">{detail}</p>
        <p id="verdict-figures" class="small quiet">{`${answer.name}: ${count(all)} execution${all === 1 ? "" : "s"}, of ${count(answer.candidates)} that the model was asked about, in ${seconds(milliseconds / 1000)}.`}</p>
      </div>
    </div>
  );
}

/** How long it has been running, for whoever wonders. */
function Running({ onStop }: { onStop(): void }) {
  const [past, setPast] = useState(0);
  useEffect(() => {
    const begin = performance.now(), ticking = setInterval(() => setPast(performance.now() - begin), 100);
    return () => clearInterval(ticking);
  }, []);
  if (past < patience) return null;
  return <p class="running" id="running">Running for {Math.floor(past / 1000)} s. <button type="button" class="plain-button" onClick={onStop}>Stop</button></p>;
}

interface Props {
  simulation: Simulation;
  shared: Shared;
  onChange(shared: Shared): void;
}

export function Tests({ simulation, shared, onChange }: Props) {
  const [said, setSaid] = useState<{ outcome: Outcome; of: string } | null>(null);
  const [running, setRunning] = useState(false);
  const [chosen, setChosen] = useState(0);
  const [line, setLine] = useState<number | null>(null);
  const { text, model, unroll } = shared;

  const run = async () => {
    setRunning(true);
    const result = await simulation.run({ text, model, unroll });
    if (!result) return; // a newer one runs
    setRunning(false);
    setLine(null);
    setSaid({ outcome: result, of: text });
    if (result.kind === "answer") setChosen(Math.max(0, result.answer.executions.findIndex((x) => x.witness)));
  };
  const typed = useRef(false);
  useEffect(() => {
    const waiting = setTimeout(run, typed.current ? pause : 0);
    typed.current = false;
    return () => clearTimeout(waiting);
  }, [text, model, unroll]);
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => e.key === "Escape" && simulation.stop();
    addEventListener("keydown", onKey);
    return () => (removeEventListener("keydown", onKey), simulation.stop());
  }, []);

  const outcome = said?.outcome ?? null;
  const last = useRef<Answer>();
  if (outcome?.kind === "answer") last.current = outcome.answer;
  const answer = outcome?.kind === "answer" ? outcome.answer : null;
  const problem = useMemo((): Problem | null => (outcome?.kind === "problem" && said!.of === text ? outcome.problem : null), [said, text]);
  const warnings = answer ? warningsOf(answer) : [];
  return (
    <div class="bench">
      <h1 class="visually-hidden">Litmus tests</h1>
      <section aria-label="Test" class="test">
        <div class="filters"><Examples text={text} onChoose={(text) => onChange({ text, model: "", unroll: 2 })} /></div>
        <Editor text={text} problem={problem} line={line} onChange={(text) => ((typed.current = true), onChange({ ...shared, text }))} onRun={run} />
        <div role="alert">
          {problem ? <p class="problem" id="problem">{problem.line ? <b>Line {problem.line}, column {problem.column}: </b> : null}{problem.message}</p> : null}
        </div>
        <Controls fitting={last.current?.models ?? []} model={last.current?.model ?? ""} unroll={unroll} running={running}
          onModel={(model) => onChange({ ...shared, model })} onUnroll={(unroll) => onChange({ ...shared, unroll })} onRun={run} onStop={() => simulation.stop()} />
      </section>
      <section aria-label="Result" class={running ? "result stale" : "result"} aria-busy={running}>
        {running ? <Running onStop={() => simulation.stop()} /> : null}
        <div aria-live="polite">
          {outcome?.kind === "answer" ? <Verdict answer={outcome.answer} milliseconds={outcome.milliseconds} /> : null}
          {outcome?.kind === "stopped" ? <p class="running" id="stopped">Stopped after {seconds(outcome.milliseconds / 1000)}: no verdict. A smaller test, or fewer rounds of its loops, may end.</p> : null}
          {outcome?.kind === "problem" ? <p class="quiet">No verdict: see what is said below the test.</p> : null}
          {warnings.length ? <ul class="warnings">{warnings.map((w) => <li key={w}>{w}</li>)}</ul> : null}
        </div>
        {answer ? (
          <>
            <h2>Final states</h2>
            <States answer={answer} shown={answer.executions[chosen]?.state ?? ""} onShow={(state) => {
              const at = answer.executions.findIndex((x) => x.state === state);
              if (at >= 0) setChosen(at);
              document.getElementById("executions")?.scrollIntoView();
            }} />
            {answer.executions.length ? (
              <>
                <h2 id="executions">Executions</h2>
                <Executions answer={answer} chosen={chosen} onChoose={setChosen} onLine={setLine} />
              </>
            ) : null}
          </>
        ) : null}
      </section>
    </div>
  );
}
