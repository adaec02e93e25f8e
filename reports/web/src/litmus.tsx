// SPDX-License-Identifier: Apache-2.0
// One row a litmus test: what each engine saw of it. What was skipped is folded, with its reason.
import { useMemo, useState } from "preact/hooks";
import type { LitmusResult, Placed } from "./data";
import { type Test, folded, skippedOf } from "./folded";
import { count, plain, seconds, si } from "./format";
import { marks } from "./marks";
import { Select } from "./scenarios";
import { Term } from "./term";
import { LongTable } from "./virtual";

const options = (values: (string | null | undefined)[]) => [...new Set(values.filter((v): v is string => !!v))].sort();

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

const engineOf = (r: LitmusResult) => [plain(r.engine), r.model].filter(Boolean).join(", ") || "litmus";

function Detail({ row }: { row: Test }) {
  return (
    <div class="runs">
      {row.results.map(({ key, result: r, outcome, what }) => (
        <div key={key} class="run">
          <p class="small"><b>{engineOf(r)}</b>{r.iterations ? <span class="quiet"> {count(r.iterations)} iterations{r.seconds ? `, ${si(r.iterations / r.seconds, "/s")} in ${seconds(r.seconds)}` : ""}</span> : null}
            {r.message || outcome !== "passed" ? <span class="quiet block">{r.message ?? what}</span> : null}</p>
          <Histogram result={r} />
        </div>
      ))}
    </div>
  );
}

function Skipped({ results }: { results: Placed<LitmusResult>[] }) {
  const reasons = skippedOf(results), all = reasons.reduce((n, r) => n + r.names.length, 0);
  if (!all) return null;
  return (
    <details class="more" id="litmus-skipped">
      <summary>{count(all)} skipped: {reasons.length === 1 ? reasons[0]!.reason : `${reasons.length} reasons`}</summary>
      {reasons.map((r) => <p key={r.reason} class="small"><b>{count(r.names.length)}</b> {r.reason}<span class="block quiet">{r.names.join(", ")}</span></p>)}
    </details>
  );
}

export function Litmus({ results }: { results: Placed<LitmusResult>[] }) {
  const [text, setText] = useState(""), [engine, setEngine] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const done = useMemo(() => results.filter((r) => r.outcome !== "skipped"), [results]);
  const rows = useMemo(() => folded(done, (r) => r.condition ?? ""), [done]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const left = useMemo(() => rows.filter((row) => (!engine || row.results.some((r) => engineOf(r.result) === engine)) &&
    words.every((w) => `${row.name} ${row.file ?? ""}`.toLowerCase().includes(w))), [rows, engine, words.join(" ")]);
  const toggle = (key: string) => setOpen((before) => {
    const after = new Set(before);
    if (!after.delete(key)) after.add(key);
    return after;
  });
  const row = (t: Test) => {
    const unfolded = open.has(t.key), first = t.results[0]!.result;
    return (
      <>
        <tr class={t.outcome}>
          <th scope="row"><button type="button" class="fold" aria-expanded={unfolded} onClick={() => toggle(t.key)}><span class="arrow" aria-hidden="true">{unfolded ? "▾" : "▸"}</span><span>{t.name}</span></button>
            {first.dialect ? <span class="small quiet file">{first.dialect}</span> : null}</th>
          <td data-label="Condition"><code class="small quiet">{first.condition}</code></td>
          <td data-label="Seen" class="models">{t.results.map(({ key, result: r, outcome, what }) => (
            <span key={key} class={`chip ${outcome}`} title={what}><span aria-hidden="true">{marks[outcome]}</span> {r.observation ?? r.verdict ?? ""} <span class="engine">{engineOf(r)}</span></span>))}</td>
          <td data-label="Held in" class="num">{t.results.filter((r) => r.result.iterations).map(({ key, result: r }) => <span key={key} class="block">{count(r.positive ?? 0)} of {si(r.iterations)}</span>)}</td>
        </tr>
        {unfolded ? <tr class="detail"><td colSpan={4}><Detail row={t} /></td></tr> : null}
      </>
    );
  };
  const engines = options(done.map((r) => engineOf(r.result)));
  return (
    <>
      {rows.length > 5 ? (
        <div class="filters" role="search" aria-label="Filter the litmus tests">
          <label class="field grow">Test<input id="litmus-text" type="search" placeholder="ring-MP" value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
          {engines.length > 1 ? <Select id="litmus-engine" label="Engine, model" values={engines} value={engine} onChange={setEngine} /> : null}
          <output id="litmus-count">{left.length} of {rows.length}</output>
        </div>
      ) : null}
      {left.length ? (
        <LongTable id="litmus-table" label="Litmus tests, a list that scrolls" items={left} keyOf={(t) => t.key} columns={4} estimate={46} row={row}
          caption={<>What was seen, against what the model allows. A row unfolds to its final states; * marks a <Term of="witness" />. Bars are logarithmic.</>}
          head={<tr><th scope="col"><Term of="litmus test">Test</Term></th><th scope="col">Condition</th><th scope="col">Seen</th><th scope="col" class="num">Held in</th></tr>} />
      ) : rows.length ? <p class="quiet">No test matches.</p> : <p class="quiet">No litmus test was run.</p>}
      <Skipped results={results} />
    </>
  );
}
