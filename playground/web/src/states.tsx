// SPDX-License-Identifier: Apache-2.0
// Every final state that the model allows.
import { count } from "../../../reports/web/src/format";
import type { Answer } from "./simulation";
import { valuesOf } from "./words";

const most = 200; // rows drawn

interface Props {
  answer: Answer;
  shown: string; // the state of the execution below
  onShow(state: string): void;
}

export function States({ answer, shown, onShow }: Props) {
  const { states } = answer;
  if (!states.length) return null;
  // Those that the condition speaks of come first where not all are drawn.
  const rows = states.length > most ? [...states].sort((a, b) => Number(b.witness) - Number(a.witness)).slice(0, most) : states;
  const columns = valuesOf(rows[0]!.state).map(([place]) => place);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Final states">
      <table id="states">
        <caption>Condition: <code>{answer.condition}</code>. A ✓ marks the states that satisfy {answer.condition.startsWith("~") ? "what stands behind ~exists" : "it"}.</caption>
        <thead>
          <tr>
            <th scope="col"><span class="visually-hidden">Satisfies the condition</span></th>
            {columns.map((place) => <th key={place} scope="col"><code>{place}</code></th>)}
            <th scope="col" class="num">Executions</th>
            <th scope="col"><span class="visually-hidden">Show</span></th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ state, count: executions, witness }) => (
            <tr key={state} class={`${witness ? "witness" : ""}${state === shown ? " shown" : ""}`}>
              <td class="tick">{witness ? <span title="satisfies the condition">✓<span class="visually-hidden">yes</span></span> : <span class="visually-hidden">no</span>}</td>
              {valuesOf(state).map(([place, value]) => <td key={place}><code>{value}</code></td>)}
              <td class="num">{count(executions)}</td>
              <td><button type="button" class="plain-button" onClick={() => onShow(state)} aria-label={`Show an execution that ends with ${state}`}>show</button></td>
            </tr>
          ))}
        </tbody>
      </table>
      {states.length > rows.length ? <p class="quiet small not-listed">{count(states.length - rows.length)} more states are not listed.</p> : null}
    </div>
  );
}
