// SPDX-License-Identifier: Apache-2.0
// The executions of a test, one at a time, in the report's explorer.
import { useEffect, useMemo } from "preact/hooks";
import type { Counterexample, GraphEvent, Placed, VerifyResult } from "../../../reports/web/src/data";
import { Execution as Stepper } from "../../../reports/web/src/explorer";
import { count } from "../../../reports/web/src/format";
import { shownOrder } from "./order";
import type { Answer, Execution } from "./simulation";
import { eventText } from "./words";

/** As the report's explorer takes it. */
function explorable(x: Execution): Counterexample {
  const { order, cycle } = shownOrder(x);
  const writes = new Map((x.relations.rf ?? []).map(([write, read]) => [read, write]));
  const byId = new Map(x.events.map((e) => [e.id, e]));
  const events = order.map((id): GraphEvent => {
    const e = byId.get(id)!;
    return { id, thread: e.thread < 0 ? "initial" : `P${e.thread}`, kind: e.kind, label: eventText(e), file: e.line ? `line ${e.line}` : null, rf: writes.get(id) ?? null };
  });
  const name = (id: number) => byId.get(id)!.name;
  const way = cycle.map(([a, , relation]) => `${name(a)} —${relation}→ `).join("") + (cycle[0] ? name(cycle[0][0]) : "");
  return {
    events,
    // That the initial value comes before every other goes without saying.
    relations: { ...x.relations, co: (x.relations.co ?? []).filter(([a]) => byId.get(a)!.thread >= 0) },
    culprits: [...new Set(cycle.map(([a]) => a))],
    kind: cycle.length ? "No interleaving." : "An interleaving.",
    message: cycle.length
      ? `If the threads took turns, this could not happen: each of these events would come before the next: ${way}`
      : "This is what happens when the threads take turns in the order listed.",
  };
}

const drawn = ["po", "rf", "co", "fr", "addr", "data", "ctrl", "rmw"];

interface Props {
  answer: Answer;
  chosen: number;
  onChoose(index: number): void;
  onLine(line: number | null): void;
}

export function Executions({ answer, chosen, onChoose, onLine }: Props) {
  const { executions } = answer, x = executions[chosen];
  const placed = useMemo((): Placed<VerifyResult> | null => x
    ? { key: "", outcome: "passed", what: "", result: { name: answer.name, model: answer.model, verdict: "", executions: 1, counterexample: explorable(x) } }
    : null, [x]);
  useEffect(() => () => onLine(null), []);
  if (!x || !placed) return null;
  const all = answer.positive + answer.negative, go = (to: number) => onChoose(Math.max(0, Math.min(executions.length - 1, to)));
  return (
    <>
      <div class="controls choice">
        <span class="pair" role="group" aria-label="Execution">
          <button type="button" id="execution-back" class="plain-button" onClick={() => go(chosen - 1)} disabled={chosen === 0}>Previous</button>
          <button type="button" id="execution-forward" class="plain-button" onClick={() => go(chosen + 1)} disabled={chosen === executions.length - 1}>Next</button>
        </span>
        <output id="execution-count">execution {chosen + 1} of {count(executions.length)}{all > executions.length ? ` (there are ${count(all)}; these are the first of each state)` : ""}</output>
        <code id="execution-state">{x.state}</code>
        {x.witness ? <span class="chip passed"><span aria-hidden="true">✓</span> satisfies the condition</span> : null}
      </div>
      <Stepper placed={placed} sources={{}} label="Execution" draw={drawn} onEvent={({ id }) => onLine(x.events.find((e) => e.id === id)?.line ?? null)} />
    </>
  );
}
