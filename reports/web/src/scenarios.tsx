// SPDX-License-Identifier: Apache-2.0
// One row a scenario, its models folded; it unfolds to what was seen under each.
import { useMemo, useState } from "preact/hooks";
import type { Guarantee, Placed, VerifyResult } from "./data";
import { type Scenario, folded } from "./folded";
import { count, place, plain, seconds, shortPlace, si } from "./format";
import { marks } from "./marks";
import { Term } from "./term";
import { LongTable } from "./virtual";

const options = (values: (string | undefined)[]) => [...new Set(values.filter((v): v is string => !!v))].sort();
const sum = (values: (number | undefined)[]) => values.reduce<number>((a, b) => a + (b ?? 0), 0);

export function Select({ id, label, values, names, value, onChange }: { id: string; label: string; values: string[]; names?: Record<string, string>; value: string; onChange(v: string): void }) {
  return (
    <label class="field">{label}
      <select id={id} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
        <option value="">all</option>
        {values.map((v) => <option key={v} value={v}>{names?.[v] ?? v}</option>)}
      </select>
    </label>
  );
}

function Covered({ result }: { result: VerifyResult }) {
  return (
    <>
      {Object.entries(result.covered ?? {}).map(([what, value]) => (
        <span key={what} class={`tag ${value === false || value === 0 ? "unseen" : ""}`}
          title={value === false || value === 0 ? "no execution saw it" : "seen"}>{what}{typeof value === "number" && value > 1 ? ` ${count(value)}` : ""}{value === false || value === 0 ? ": never" : ""}</span>
      ))}
      {Object.entries(result.bounds ?? {}).map(([what, value]) => <span key={what} class="tag bound" title="bound">{`${what} ≤ ${plain(value)}`}</span>)}
    </>
  );
}

/** Model by model: what the folded row sums up. */
function Detail({ row }: { row: Scenario }) {
  const assumed = [...new Set(row.results.flatMap(({ result }) => (result.assumptions ?? []).filter((a) => a.standing === "assumed" || a.standing === "open").map((a) => a.kind)))];
  return (
    <>
      {row.file ? <p class="small quiet where">{place(row.file, row.line)}</p> : null}
      <div class="inner-scroll" tabIndex={0} role="group" aria-label={`${row.name}, by model`}>
        <table class="inner">
          <thead><tr><th scope="col">Model</th><th scope="col">Verdict</th><th scope="col" class="num">Executions</th><th scope="col" class="num">Blocked</th><th scope="col" class="num">Time</th><th scope="col" class="num">Exec/s</th><th scope="col">Seen, <Term of="bound">bounds</Term></th></tr></thead>
          <tbody>{row.results.map(({ key, result: r, outcome, what }) => (
            <tr key={key}>
              <th scope="row"><code>{r.model}</code></th>
              <td><span class={`chip ${outcome}`}><span aria-hidden="true">{marks[outcome]}</span> {r.verdict}</span>{outcome === "passed" ? null : <span class="small block">{r.message ?? what}</span>}</td>
              <td class="num">{count(r.executions)}</td><td class="num">{count(r.blocked)}</td><td class="num">{seconds(r.seconds)}</td>
              <td class="num">{r.seconds ? si((r.executions + (r.blocked ?? 0)) / r.seconds) : ""}</td>
              <td><Covered result={r} /></td>
            </tr>
          ))}</tbody>
        </table>
      </div>
      {assumed.length ? <p class="small quiet">Taken for granted: {assumed.join(", ")}.</p> : null}
    </>
  );
}

/** What decided the row: the verdicts of its worst outcome. The models beside it say where. */
const verdictOf = (row: Scenario) => options(row.results.filter((r) => r.outcome === row.outcome).map((r) => r.result.verdict)).join(", ");

interface Props {
  results: Placed<VerifyResult>[];
  guarantees: Guarantee[];
  noun: string;
  shows: string;
  onShows(id: string): void;
  onOpen(key: string): void;
}

export function Scenarios({ results, guarantees, noun, shows, onShows, onOpen }: Props) {
  const [text, setText] = useState(""), [model, setModel] = useState(""), [verdict, setVerdict] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => folded(results), [results]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const left = useMemo(() => rows.filter((row) =>
    (!shows || row.results.some((r) => r.shows?.includes(shows))) &&
    row.results.some(({ result: r, outcome }) => (!model || r.model === model) && (!verdict || r.verdict === verdict || outcome === verdict)) &&
    words.every((w) => `${row.name} ${row.file ?? ""} ${row.results.map((r) => r.result.mutant ?? "").join(" ")}`.toLowerCase().includes(w))),
    [rows, shows, model, verdict, words.join(" ")]);
  const toggle = (key: string) => setOpen((before) => {
    const after = new Set(before);
    if (!after.delete(key)) after.add(key);
    return after;
  });
  const row = (s: Scenario) => {
    const unfolded = open.has(s.key), first = s.results.find((r) => r.result.counterexample), mutant = s.results[0]!.result.mutant;
    return (
      <>
        <tr class={s.outcome}>
          <th scope="row">
            <button type="button" class="fold" aria-expanded={unfolded} onClick={() => toggle(s.key)}>
              <span class="arrow" aria-hidden="true">{unfolded ? "▾" : "▸"}</span>{mutant ? <span class="letter small-letter" title={`without barrier ${mutant}`}>{mutant}</span> : null}<span>{s.name}</span></button>
            {s.file ? <span class="small quiet file" title={place(s.file, s.line)}>{shortPlace(s.file, s.line)}</span> : null}
          </th>
          <td data-label="Models" class="models">{s.results.map(({ key, result: r, outcome }) => <span key={key} class={`tag model ${outcome}`} title={`${r.model}: ${r.verdict}`}><span aria-hidden="true">{marks[outcome]}</span> {r.model}</span>)}</td>
          <td data-label="Verdict"><span class={`chip ${s.outcome}`}><span aria-hidden="true">{marks[s.outcome]}</span> {verdictOf(s)}</span>
            {first ? <button type="button" class="link" onClick={() => onOpen(first.key)}>counterexample</button> : null}
            {s.outcome === "passed" || s.outcome === "skipped" ? null : <span class="small block">{s.results.find((r) => r.outcome === s.outcome)?.result.message}</span>}</td>
          <td data-label="Executions" class="num">{count(sum(s.results.map((r) => r.result.executions)))}</td>
          <td data-label="Time" class="num">{s.results.some((r) => r.result.seconds !== undefined) ? seconds(sum(s.results.map((r) => r.result.seconds))) : ""}</td>
        </tr>
        {unfolded ? <tr class="detail"><td colSpan={5}><Detail row={s} /></td></tr> : null}
      </>
    );
  };
  const models = options(results.map((r) => r.result.model)), verdicts = options(results.flatMap((r) => [r.result.verdict, r.outcome === "passed" ? undefined : r.outcome]));
  return (
    <>
      <div class="filters" role="search" aria-label={`Filter the ${noun}s`}>
        <label class="field grow">Name<input id="filter-text" type="search" placeholder="part of a name or file" value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
        {guarantees.length ? <Select id="filter-shows" label="Shows" values={guarantees.map((g) => g.id)} names={Object.fromEntries(guarantees.map((g) => [g.id, g.title]))} value={shows} onChange={onShows} /> : null}
        {models.length > 1 ? <Select id="filter-model" label="Model" values={models} value={model} onChange={setModel} /> : null}
        {verdicts.length > 1 ? <Select id="filter-verdict" label="Verdict" values={verdicts} value={verdict} onChange={setVerdict} /> : null}
        <output id="filter-count">{left.length} of {rows.length}</output>
      </div>
      {left.length ? (
        <LongTable id="scenario-table" label={`${noun}s, a list that scrolls`} items={left} keyOf={(s) => s.key} columns={5} estimate={46} row={row}
          head={<tr><th scope="col">{noun === "scenario" ? <Term of="scenario">Scenario</Term> : "Program"}</th><th scope="col">Models</th><th scope="col">Verdict</th><th scope="col" class="num"><Term of="execution">Executions</Term></th><th scope="col" class="num">Time</th></tr>} />
      ) : <p class="quiet">No {noun} matches.</p>}
    </>
  );
}
