// SPDX-License-Identifier: Apache-2.0
import type { LitmusResult, Placed } from "./data";
import { count, plain, seconds, si } from "./format";
import { marks } from "./overview";

/** Counts run from 1 to many millions, so the bars are logarithmic; a state never seen has none. */
function Histogram({ result }: { result: LitmusResult }) {
  const states = [...(result.states ?? [])];
  if (!states.length) return null;
  const most = Math.max(...states.map((s) => s.count ?? 0), 1);
  const width = (n: number) => (n > 0 ? 4 + (96 * Math.log10(n + 1)) / Math.log10(most + 1) : 0);
  return (
    <table class="histogram">
      <caption class="visually-hidden">Final states of {result.name}; * satisfies the condition; bars are logarithmic</caption>
      <tbody>
        {states.map((s, i) => (
          <tr key={i} class={s.witness ? "witness" : ""}>
            <th scope="row"><code>{s.witness ? "* " : ""}{s.state}</code></th>
            <td class="bar-cell"><span class="bar" style={{ width: `${width(s.count ?? 0)}%` }} /></td>
            <td class="num">{count(s.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Litmus({ results }: { results: Placed<LitmusResult>[] }) {
  if (!results.length) return <p class="quiet">No litmus test was run.</p>;
  return (
    <div class="scroll">
      <table class="stack" id="litmus-table">
        <caption>Outcomes seen are compared with what the model allows; * marks the states that satisfy the condition. Bars are logarithmic.</caption>
        <thead><tr><th scope="col">Test</th><th scope="col">Engine</th><th scope="col">Model</th><th scope="col">Observation</th><th scope="col">Outcomes</th><th scope="col" class="num">Iterations</th><th scope="col" class="num">Rate</th></tr></thead>
        <tbody>
          {results.map(({ key, result: r, outcome, what }) => (
            <tr key={key} class={outcome}>
              <th scope="row">{r.name}{r.condition ? <><br /><code class="small quiet">{r.condition}</code></> : null}</th>
              <td data-label="Engine">{plain(r.engine)}{r.dialect ? <span class="small quiet"> {r.dialect}</span> : null}</td>
              <td data-label="Model">{r.model ? <code>{r.model}</code> : ""}</td>
              <td data-label="Observation"><span class={`chip ${outcome}`} title={what}><span aria-hidden="true">{marks[outcome]}</span> {r.observation ?? r.verdict ?? ""}</span>
                {r.observation && r.verdict ? <span class="small quiet"> {r.verdict}</span> : null}</td>
              <td data-label="Outcomes"><Histogram result={r} /></td>
              <td data-label="Iterations" class="num">{count(r.iterations)}</td>
              <td data-label="Rate" class="num">{r.iterations && r.seconds ? <span title={seconds(r.seconds)}>{si(r.iterations / r.seconds, "/s")}</span> : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
