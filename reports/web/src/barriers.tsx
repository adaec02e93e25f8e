// SPDX-License-Identifier: Apache-2.0
// The ring's ordered accesses: needed by which model, cheapest on which machine, cost here.
import type { Barrier, LitmusResult, Placed } from "./data";
import { Command } from "./command";
import { median, nanos } from "./format";
import type { Group, Line } from "./measured";
import { Term } from "./term";

const pairs: Record<string, [string, string]> = {
  A: ["producer reads tail", "before it overwrites a slot: what was there has been read (pairs with D)"],
  B: ["producer writes head", "after the record: a consumer that sees the head sees the record (pairs with C)"],
  C: ["consumer reads head", "before it reads the record (pairs with B)"],
  D: ["consumer writes tail", "after it has read the record: the producer may overwrite it (pairs with A)"],
  E: ["producer waits for its predecessor", "its own publication carries the predecessor's record"],
  I: ["writer says what it is about to overwrite", "before the data (pairs with J)"],
  J: ["snapshot reads that again", "after it has copied the data (pairs with I)"],
  K: ["writer marks where it is at work", "and that it is done (pairs with L)"],
  L: ["a writer that enters a page reads every mark", "before it overwrites or copies (pairs with K)"],
  M: ["writer claims its place", "behind its mark, and behind the writer that entered the page (pairs with C and M)"],
};
const says: Record<Barrier["finding"], string> = { needed: "needed", survived: "not needed", hole: "no counterexample found", undecided: "undecided" };
const main = ["A", "B", "C", "D"];
const hardware = /^(x86-tso|aarch64|riscv)$/;

function Needed({ of, onOpen }: { of: Barrier[]; onOpen(key: string): void }) {
  if (!of.length) return <><span class="quiet">no mutant without it was checked</span><Command words="ringproof verify --json verify.json" /></>;
  return (
    <ul class="plain-list">
      {of.map((b) => {
        const mutants = `${b.refuted} of ${b.mutants} ${b.mutants === 1 ? "mutant" : "mutants"} refuted`;
        return (
          <li key={b.model}>
            <code>{b.model}</code>{" "}
            {b.finding === "needed"
              ? <button type="button" class="finding needed" onClick={() => onOpen(`${b.document}-${b.result}`)} title="Show the shortest counterexample">{says.needed} <span aria-hidden="true">→</span></button>
              : <span class={`finding ${b.finding}`}>{says[b.finding]}</span>}
            <span class="small quiet"> {mutants}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Least({ letter, machines }: { letter: string; machines: LitmusResult[] }) {
  const leasts = machines.flatMap((m) => (m.letters ?? []).filter((l) => l.letter === letter).map((l) => ({ machine: m.machine ?? m.model ?? "", least: l.least, silicon: hardware.test(m.model ?? "") })));
  if (!leasts.length) return <><span class="quiet">not simulated</span><Command words="ringproof litmus barriers --results barriers.json" /></>;
  const list = (rows: typeof leasts) => <dl class="leasts">{rows.map((r) => <div key={r.machine}><dt>{r.machine}</dt><dd>{r.least}</dd></div>)}</dl>;
  const silicon = leasts.filter((l) => l.silicon), languages = leasts.filter((l) => !l.silicon);
  return <>{list(silicon.length ? silicon : leasts)}{silicon.length && languages.length ? <details><summary>in C, C++ and the kernel</summary>{list(languages)}</details> : null}</>;
}

/** How much more time the default takes than another order, by the ratio of speeds and its interval. */
function Extra({ line, ours, children }: { line: Line; ours: Line; children: string }) {
  const percent = (r: number) => `${1 / r >= 1 ? "+" : "−"}${Math.abs((1 / r - 1) * 100).toFixed(1)} %`;
  const { median: ratio, low, high } = line.ratio ?? { median: median(line.ns) / median(ours.ns), low: 0, high: 0 };
  return (
    <span class="block"><b>{percent(ratio)}</b> <span class="small">time {children}</span>
      <span class="small quiet block">{low < high ? `95 %: ${percent(high)} to ${percent(low)}${low <= 1 && high >= 1 ? ", no sure difference" : ""}; ` : ""}{nanos(median(ours.ns))} against {nanos(median(line.ns))} ns a record</span></span>
  );
}

/** What the letters cost: the default ring against the same ring without one or all of them. */
function Cost({ letter, group }: { letter: string; group?: Group }) {
  const ours = group?.lines.find((l) => l.queue === "ringproof");
  const of = (queue: string) => group?.lines.find((l) => l.queue === queue && l.regime === ours?.regime);
  const branch = of("ringproof_control_dependency"), none = of("ringproof_compiler_only");
  if (!ours || (!branch && !none)) return <><span class="quiet">not measured</span><Command words="ringproof bench '^policy/barriers/throughput' --json bench.json" /></>;
  if (letter === "A")
    return <>{branch ? <Extra line={branch} ours={ours}>for A alone, against the branch</Extra> : null}{none ? <Extra line={none} ours={ours}>for all four, against none</Extra> : null}</>;
  return <span class="small quiet">{none ? "measured together with A: all four, against none" : "cannot be left out on this machine, so it cannot be measured alone"}</span>;
}

interface Props { barriers: Barrier[]; litmus: Placed<LitmusResult>[]; groups: Group[]; onOpen(key: string): void }

export function Barriers({ barriers, litmus, groups, onOpen }: Props) {
  const machines = litmus.map((l) => l.result).filter((r) => r.letters?.length);
  const group = groups.find((g) => g.workload === "policy/barriers/throughput" && g.placement !== "oversubscribed") ?? groups.find((g) => g.workload === "policy/barriers/throughput");
  const others = [...new Set(barriers.map((b) => b.letter))].filter((l) => !main.includes(l));
  const name = (letter: string) => (
    <th scope="row"><div class="barrier"><span class="letter">{letter}</span><span><b>{pairs[letter]?.[0] ?? letter}</b><span class="small quiet block">{pairs[letter]?.[1]}</span></span></div></th>
  );
  return (
    <>
      <div class="scroll">
        <table class="barriers stack" id="barrier-table">
          <caption>A to D are the ring's four ordered accesses. Relax one, check again: a <Term of="counterexample" /> means that the model needs it. A <Term of="mutant" /> is checked under the weakest model alone.</caption>
          <thead><tr><th scope="col"><Term of="letter">Letter</Term></th><th scope="col">Needed, by which model</th><th scope="col">Cheapest on each machine</th><th scope="col">Cost here</th></tr></thead>
          <tbody>
            {main.map((letter) => (
              <tr key={letter}>
                {name(letter)}
                <td data-label="Needed"><Needed of={barriers.filter((b) => b.letter === letter)} onOpen={onOpen} /></td>
                <td data-label="Cheapest on each machine"><Least letter={letter} machines={machines} /></td>
                <td data-label="Cost here"><Cost letter={letter} group={group} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others.length ? (
        <details class="more"><summary>{others.length} more letters: of recorders, which overwrite</summary>
          <div class="scroll"><table class="barriers stack" id="more-letters"><thead><tr><th scope="col">Letter</th><th scope="col">Needed, by which model</th></tr></thead>
            <tbody>{others.map((letter) => <tr key={letter}>{name(letter)}<td data-label="Needed"><Needed of={barriers.filter((b) => b.letter === letter)} onOpen={onOpen} /></td></tr>)}</tbody></table></div>
        </details>
      ) : null}
    </>
  );
}
