// SPDX-License-Identifier: Apache-2.0
import type { Barrier } from "./data";

const pairs: Record<string, [string, string]> = {
  A: ["producer reads tail", "before it overwrites a slot: what it overwrites has been read (pairs with D)"],
  B: ["producer writes head", "after the record: who sees the head sees the record (pairs with C)"],
  C: ["consumer reads head", "before it reads the record (pairs with B)"],
  D: ["consumer writes tail", "after it has read the record: licence to overwrite (pairs with A)"],
  E: ["producer waits for its predecessor", "its own publication carries the predecessor's record"],
};

const says: Record<Barrier["finding"], string> = {
  needed: "needed", survived: "not needed", hole: "no counterexample found", undecided: "undecided",
};

export function Barriers({ barriers, onOpen }: { barriers: Barrier[]; onOpen(key: string): void }) {
  if (!barriers.length) return <p class="quiet">No mutants were checked.</p>;
  const letters = [...new Set(barriers.map((b) => b.letter))], models = [...new Set(barriers.map((b) => b.model))];
  const cell = (b: Barrier | undefined) => {
    if (!b) return <td class="quiet">not tried</td>;
    const mutants = `${b.refuted} of ${b.mutants} ${b.mutants === 1 ? "mutant" : "mutants"} refuted`;
    return (
      <td>
        {b.finding === "needed" ? (
          <button type="button" class="finding needed" onClick={() => onOpen(`${b.document}-${b.result}`)} title="Show the counterexample">
            {says.needed} <span aria-hidden="true">→</span></button>
        ) : <span class={`finding ${b.finding}`}>{says[b.finding]}</span>}
        <span class="small quiet">{mutants}</span>
      </td>
    );
  };
  return (
    <div class="scroll">
      <table class="barriers">
        <caption>Leave one barrier out, check again: a counterexample means it is needed under that model.</caption>
        <thead><tr><th scope="col">Barrier</th>{models.map((m) => <th scope="col" key={m}>{m}</th>)}</tr></thead>
        <tbody>
          {letters.map((letter) => (
            <tr key={letter}>
              <th scope="row"><div class="barrier"><span class="letter">{letter}</span><span><b>{pairs[letter]?.[0] ?? letter}</b><br /><span class="small quiet">{pairs[letter]?.[1]}</span></span></div></th>
              {models.map((m) => cell(barriers.find((b) => b.letter === letter && b.model === m)))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
