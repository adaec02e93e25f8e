// SPDX-License-Identifier: Apache-2.0
// What other checkers say of the same scenarios, beside our verdict; disagreements first.
import { useState } from "preact/hooks";
import type { Opinion, Opinions as Document } from "./data";
import { count, seconds } from "./format";
import { marks } from "./marks";

interface Row { scenario: string; ours: string; of: Map<string, Opinion>; rank: number }

/** As in the document: unexplained disagreements, explained ones, checkers that failed, the rest. */
const rankOf = (o: Opinion) => (o.agrees === false ? (o.explanation ? 1 : 0) : o.verdict === "failed" ? 2 : 3);
const columnOf = (o: Opinion) => `${o.tool}, ${o.scheduler}`;

function rowsOf(verdicts: Opinion[]): Row[] {
  const rows = new Map<string, Row>();
  for (const o of verdicts) {
    const row = rows.get(o.scenario) ?? { scenario: o.scenario, ours: "", of: new Map(), rank: 3 };
    row.ours ||= o.ours ?? "";
    row.of.set(columnOf(o), o);
    row.rank = Math.min(row.rank, rankOf(o));
    rows.set(o.scenario, row);
  }
  return [...rows.values()].sort((a, b) => a.rank - b.rank);
}

function Cell({ opinion: o, label, leavesOut }: { opinion?: Opinion; label: string; leavesOut: string }) {
  if (!o) return <td class="quiet" data-label={label}>not asked</td>;
  const why = o.explanation && o.explanation === leavesOut ? " by what it leaves out, above" : `: ${o.explanation}`;
  const outcome = o.agrees === true ? "passed" : o.agrees === false ? (o.explanation ? "inconclusive" : "failed") : "skipped";
  return (
    <td data-label={label}>
      <span class={`chip ${outcome}`}><span aria-hidden="true">{marks[outcome]}</span> {o.verdict}</span>
      <span class="small block">{o.message}{o.seconds ? `, ${seconds(o.seconds)}` : ""}</span>
      {o.agrees === false ? <span class="small block">{o.explanation ? `Differs from ours, explained${why}.` : "Differs from ours without an explanation: one of the two has a bug."}</span> : null}
      {o.history ? <details><summary>its history</summary><pre class="small">{o.history}</pre></details> : null}
    </td>
  );
}

const first = 20;

export function Opinions({ documents }: { documents: Document[] }) {
  const [all, setAll] = useState(false);
  const sources = documents.flatMap((d) => d.sources), verdicts = documents.flatMap((d) => d.verdicts);
  const rows = rowsOf(verdicts), columns = [...new Set(verdicts.map(columnOf))].sort();
  const leavesOut = new Map(sources.map((s) => [s.tool, s.cannot_see ?? ""]));
  const said = (is: (o: Opinion) => boolean) => count(verdicts.filter(is).length);
  return (
    <>
      <p>{said((o) => o.agrees === true)} agree with ours, {said((o) => o.agrees === false)} differ, {said((o) => rankOf(o) === 0)} of them without an explanation; {said((o) => o.agrees == null)} give no verdict.</p>
      <ul class="plain-list">{sources.map((s) => (
        <li key={s.tool}><b>{s.tool}</b>{" "}
          {s.state === "ready" ? <span class="small">{s.cannot_see ? `${s.cannot_see}.` : "it leaves nothing out."}</span> : <span class="small">skipped, {s.state}: {s.why}. To have it: <code>{s.install}</code></span>}</li>
      ))}</ul>
      {rows.length ? (
        <div class="scroll more" tabIndex={0} role="group" aria-label="Second opinions by scenario">
          <table id="opinion-table" class="stack">
            <thead><tr><th scope="col">Scenario</th><th scope="col">Ours, rc11</th>{columns.map((c) => <th key={c} scope="col">{c}</th>)}</tr></thead>
            <tbody>{(all ? rows : rows.slice(0, first)).map((row) => (
              <tr key={row.scenario} data-rank={row.rank}>
                <th scope="row">{row.scenario}</th><td data-label="ours:">{row.ours || "not under rc11"}</td>
                {columns.map((c) => <Cell key={c} opinion={row.of.get(c)} label={`${c}:`} leavesOut={leavesOut.get(row.of.get(c)?.tool ?? "") ?? ""} />)}
              </tr>
            ))}</tbody>
          </table>
        </div>
      ) : null}
      {!all && rows.length > first ? <button type="button" id="all-opinions" class="plain-button" onClick={() => setAll(true)}>Show all {count(rows.length)}</button> : null}
    </>
  );
}
