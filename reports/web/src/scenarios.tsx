// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import type { Placed, VerifyResult } from "./data";
import { count, place, plain, seconds, shortPlace, si } from "./format";
import { marks } from "./overview";

const options = (values: (string | undefined)[]) => [...new Set(values.filter((v): v is string => !!v))].sort();

export function Select({ id, label, values, value, onChange }: { id: string; label: string; values: string[]; value: string; onChange(v: string): void }) {
  return (
    <label class="field">{label}
      <select id={id} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
        <option value="">all</option>
        {values.map((v) => <option key={v} value={v}>{v}</option>)}
      </select>
    </label>
  );
}

function Covered({ result }: { result: VerifyResult }) {
  const seen = Object.entries(result.covered ?? {});
  const bounds = Object.entries(result.bounds ?? {});
  return (
    <>
      {seen.map(([what, value]) => (
        <span key={what} class={`tag ${value === false || value === 0 ? "unseen" : ""}`}
          title={value === false || value === 0 ? "no execution saw it" : "seen"}>{what}{typeof value === "number" && value > 1 ? ` ${count(value)}` : ""}{value === false || value === 0 ? ": never" : ""}</span>
      ))}
      {bounds.map(([what, value]) => <span key={what} class="tag bound" title="bound">{`${what} ≤ ${plain(value)}`}</span>)}
    </>
  );
}

export function Scenarios({ results, onOpen }: { results: Placed<VerifyResult>[]; onOpen(key: string): void }) {
  const [text, setText] = useState("");
  const [model, setModel] = useState("");
  const [verdict, setVerdict] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const left = results.filter(({ result: r, outcome }) =>
    (!model || r.model === model) && (!verdict || r.verdict === verdict || outcome === verdict) &&
    words.every((w) => `${r.name} ${r.file ?? ""} ${r.mutant ?? ""}`.toLowerCase().includes(w)));
  if (!results.length) return <p class="quiet">Nothing was model-checked.</p>;
  return (
    <>
      <div class="filters" role="search" aria-label="Filter the scenarios">
        <label class="field grow">Name<input id="filter-text" type="search" placeholder="spsc full" value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
        <Select id="filter-model" label="Model" values={options(results.map((r) => r.result.model))} value={model} onChange={setModel} />
        <Select id="filter-verdict" label="Verdict" values={options(results.flatMap((r) => [r.result.verdict, r.outcome === "passed" ? undefined : r.outcome]))} value={verdict} onChange={setVerdict} />
        <output id="filter-count">{left.length} of {results.length}</output>
      </div>
      <div class="scroll">
        <table id="scenario-table" class="stack">
          <thead><tr><th scope="col">Scenario</th><th scope="col">Model</th><th scope="col">Verdict</th><th scope="col" class="num">Executions</th>
            <th scope="col" class="num">Blocked</th><th scope="col" class="num">Time</th><th scope="col" class="num">Exec/s</th><th scope="col">Seen, bounds</th></tr></thead>
          <tbody>
            {left.map(({ key, result: r, outcome, what }) => (
              <tr key={key} class={outcome}>
                <th scope="row">{r.mutant ? <span class="letter small-letter" title={`without barrier ${r.mutant}`}>{r.mutant}</span> : null}{r.name}
                  {r.file ? <span class="small quiet" title={place(r.file, r.line)}> {shortPlace(r.file, r.line)}</span> : null}</th>
                <td data-label="Model"><code>{r.model}</code></td>
                <td data-label="Verdict"><span class={`chip ${outcome}`} title={what}><span aria-hidden="true">{marks[outcome]}</span> {r.verdict}</span>
                  {r.counterexample ? <button type="button" class="link" onClick={() => onOpen(key)}>counterexample</button> : null}
                  {outcome !== "passed" && r.message ? <span class="small"> {r.message}</span> : null}</td>
                <td data-label="Executions" class="num">{count(r.executions)}</td>
                <td data-label="Blocked" class="num">{count(r.blocked)}</td>
                <td data-label="Time" class="num">{seconds(r.seconds)}</td>
                <td data-label="Exec/s" class="num">{r.seconds ? si((r.executions + (r.blocked ?? 0)) / r.seconds) : ""}</td>
                <td data-label="Seen, bounds"><Covered result={r} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left.length ? null : <p class="quiet">No scenario matches.</p>}
    </>
  );
}
