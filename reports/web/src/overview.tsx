// SPDX-License-Identifier: Apache-2.0
// The first screen: what was proved, what the hardware showed, how fast it is, and what failed.
import { type Report, type Summary, warningsOf } from "./data";
import { count } from "./format";

export const marks: Record<string, string> = { ok: "✓", passed: "✓", failed: "✗", error: "✗", inconclusive: "?", skipped: "–", empty: "–" };

function Tile({ title, figure, children, href }: { title: string; figure: string; children: any; href: string }) {
  return (
    <a class="tile" href={href}>
      <span class="tile-title">{title}</span>
      <span class="figure">{figure}</span>
      <span class="tile-text">{children}</span>
    </a>
  );
}

function ratioTile(summary: Summary) {
  const ratios = [...summary.ratios].sort((a, b) => a.median - b.median);
  const [least, most] = [ratios[0], ratios[ratios.length - 1]];
  if (!least || !most) return null;
  const figure = ratios.length === 1 ? `${least.median.toFixed(2)}×` : `${least.median.toFixed(2)}–${most.median.toFixed(2)}×`;
  if (summary.unfit?.length) return <Tile title="Against its peers" figure="inconclusive" href="#bench">{summary.unfit[0]}</Tile>;
  return <Tile title="Against its peers" figure={figure} href="#bench">our speed as a multiple of theirs, in the same run and regime; above 1× ours is faster ({ratios.length} {ratios.length === 1 ? "comparison" : "comparisons"})</Tile>;
}

export function Overview({ report }: { report: Report }) {
  const { summary } = report;
  const verify = summary.tallies.verify, litmus = summary.tallies.litmus, bench = summary.tallies.bench;
  // What was skipped is neither right nor wrong: a number of its own, in no sum.
  const done = (t: Record<string, number>) => Object.entries(t).reduce((sum, [outcome, n]) => (outcome === "skipped" ? sum : sum + n), 0);
  const apart = (t: Record<string, number>) => {
    const bad = (t.failed ?? 0) + (t.error ?? 0);
    return `${count(bad)} failed${t.inconclusive ? `, ${count(t.inconclusive)} inconclusive` : ""}${t.skipped ? `, ${count(t.skipped)} skipped` : ""}`;
  };
  return (
    <section id="overview" class={`hero ${summary.status}`} aria-labelledby="headline">
      <p class="status"><span class="mark" aria-hidden="true">{marks[summary.status]}</span></p>
      <div class="hero-text">
        <h1 id="headline">{summary.headline}</h1>
        {verify ? <p>{summary.verify_line}.</p> : null}
        {litmus ? <p>{summary.litmus_line}.</p> : null}
      </div>
      <div class="tiles">
        {verify ? <Tile title="Executions explored" figure={count(summary.executions)} href="#scenarios">
          under {summary.models.join(", ")}{summary.blocked ? `, and ${count(summary.blocked)} blocked` : ""}{summary.compilers?.length ? `; of what ${summary.compilers.join(", ")} compiles` : ""}</Tile> : null}
        {verify ? <Tile title="Model-checked" figure={`${count(verify.passed)} of ${count(done(verify))}`} href="#scenarios">results as expected, mutants refuted among them; {apart(verify)}</Tile> : null}
        {litmus ? <Tile title="Litmus tests" figure={`${count(litmus.passed)} of ${count(done(litmus))}`} href="#litmus">
          {apart(litmus)}; {summary.iterations ? `${count(summary.iterations)} iterations on this hardware` : "as the models allow"}</Tile> : null}
        {ratioTile(summary) ?? (bench ? <Tile title="Benchmarks" figure={count(bench.passed)} href="#bench">benchmarks{warningsOf(report).length ? "; not all of them can be trusted, see the warnings" : ""}</Tile> : null)}
      </div>
      {summary.problems.length ? (
        <div class="problems" role="region" aria-label="Not as expected">
          <h2>Not as expected</h2>
          <ul>
            {summary.problems.map((p, i) => (
              <li key={i}><span class={`chip ${p.outcome}`}>{p.outcome}</span> <b>{p.name}</b> {p.group ? <span class="quiet">{p.group}</span> : null}<br />{p.what}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}
