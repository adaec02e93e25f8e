// SPDX-License-Identifier: Apache-2.0
// What goes wrong when one of the ring's barriers is missing: stored results of `ringproof verify`.
import { results, sources, made } from "virtual:ring";
import type { Placed, VerifyResult } from "../../../reports/web/src/data";
import { Explorer } from "../../../reports/web/src/explorer";
import { count, shell } from "../../../reports/web/src/format";

const placed = results.map((result, i): Placed<VerifyResult> => ({ key: String(i), result, outcome: "passed", what: "refuted, as expected" }));
const letterOf = (result: VerifyResult) => result.mutant?.[0] ?? "";

interface Props { letter: string; onChoose(letter: string): void }

export function Ring({ letter, onChoose }: Props) {
  const chosen = placed.find((p) => p.result.mutant === letter) ?? placed.find((p) => letterOf(p.result) === letter) ?? placed[0];
  return (
    <section id="ring" aria-labelledby="ring-title">
      <h1 id="ring-title">The ring without one of its barriers</h1>
      <p class="lead">The model checker weakened barriers A to D of the ring, one at a time, and explored every execution.
        Here is one that goes wrong for each, event by event. The arrow keys step through it.</p>
      <Explorer sources={sources} results={placed} chosen={chosen?.key ?? ""} onChoose={(key) => onChoose(placed[Number(key)]?.result.mutant ?? "")} />
      <p class="quiet small">Found by <code>{shell(made.command)}</code> of ringproof {made.version}, when this page was built. {count(placed.length)} counterexamples.</p>
    </section>
  );
}
