// SPDX-License-Identifier: Apache-2.0
// What the ring guarantees: for each the proof, the cost on this machine, and how that compares.
import { Fragment } from "preact";
import type { Guarantee } from "./data";
import { Command } from "./command";
import { count, nanos, times, plural } from "./format";
import { marks } from "./marks";
import { Term } from "./term";

/** A peer's name; a line may end after each underscore. */
const Name = ({ of }: { of: string }) => <>{of.split(/(?<=_)/).map((part, i) => <Fragment key={i}>{i ? <wbr /> : null}{part}</Fragment>)}</>;

function Proof({ of: g, onShow }: { of: Guarantee; onShow(id: string): void }) {
  if (!g.results && !g.breaks) return <><span class="chip"><span aria-hidden="true">{marks.skipped}</span> not checked</span><Command words="ringproof verify --json verify.json" /></>;
  const [outcome, says] = g.unexpected ? ["failed", `${count(g.unexpected)} not as expected`] as const : g.open ? ["inconclusive", `${count(g.open)} undecided`] as const : ["passed", "verified"] as const;
  return (
    <>
      <span class={`chip ${outcome}`}><span aria-hidden="true">{marks[outcome]}</span> {says}</span>{" "}
      <a class="strong whole" href="#scenarios" data-guarantee={g.id} onClick={() => onShow(g.id)}>{plural(g.scenarios, "scenario")}</a>
      <span class="small quiet block">{plural(g.executions, "execution")} under {g.models.join(", ")}{g.mutants ? `; ${count(g.refuted)} of ${plural(g.breaks, "mutant")} refuted` : ""}</span>
    </>
  );
}

function Cost({ of: { cost: c } }: { of: Guarantee }) {
  if (!c.measured) return <><span class="quiet">not measured</span><Command words={`ringproof bench '^${c.workload}' --json bench.json`} /></>;
  const sure = c.low && c.high && c.low < c.high ? `95 %: ${nanos(c.low)}–${nanos(c.high)}` : "too few runs for an interval";
  return <><span class="strong">{nanos(c.ns!)} ns</span> <span class="small quiet whole">{sure}</span><span class="small quiet block">{c.what}; {c.placement}{c.regime && c.regime !== "none" ? `, ${c.regime}` : ""}</span></>;
}

function Against({ of: { cost: c } }: { of: Guarantee }) {
  if (!c.measured) return null;
  if (!c.peer || !c.ratio) return <span class="quiet">no peer was measured beside it</span>;
  const known = !!c.ratio_low && !!c.ratio_high && c.ratio_low < c.ratio_high;
  const sure = known ? `95 %: ${times(c.ratio_low!)}–${times(c.ratio_high!)}` : "too few runs for an interval";
  const even = known ? c.ratio_low! <= 1 && c.ratio_high! >= 1 : false;
  return <><span class="strong">{times(c.ratio)}×</span> <span class="small quiet whole">{sure}</span><span class="small quiet block">{!known ? "against" : even ? "no sure difference from" : c.ratio > 1 ? "faster than" : "slower than"} <Name of={c.peer} /></span></>;
}

export function Guarantees({ all, unmapped, unfit, onShow }: { all: Guarantee[]; unmapped: string[]; unfit: boolean; onShow(id: string): void }) {
  return (
    <>
      <div class="scroll flat">
        <table id="guarantee-table" class="stack guarantees">
          <caption class="visually-hidden">What the ring guarantees, its proof, and what it costs on this machine</caption>
          <thead><tr><th scope="col">Guarantee</th><th scope="col">Proof: <Term of="scenario">scenarios</Term>, <Term of="execution">executions</Term>, <Term of="memory model">models</Term></th>
            <th scope="col">Cost here, ns an operation{unfit ? <span class="tag unseen">machine not fit</span> : null}</th><th scope="col">Speed against the fastest <Term of="subject, peer">peer</Term></th></tr></thead>
          <tbody>
            {all.map((g) => (
              <tr key={g.id} class={g.unexpected ? "failed" : ""} data-id={g.id}>
                <th scope="row">{g.title}<span class="small quiet block">{g.promise}</span></th>
                <td data-label="Proof"><Proof of={g} onShow={onShow} /></td>
                <td data-label="Cost here"><Cost of={g} /></td>
                <td data-label="Against the fastest peer"><Against of={g} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unmapped.length ? <p class="warnings" id="unmapped">{unmapped.length} scenarios stand in none of these rows, since reports/data/guarantees.json has no line for them: {unmapped.slice(0, 5).join("; ")}{unmapped.length > 5 ? " …" : ""}</p> : null}
    </>
  );
}
