// SPDX-License-Identifier: Apache-2.0
// The first screen: what this is, what failed, what was proved and what it costs, and whether the machine was fit to measure.
import { useMemo } from "preact/hooks";
import type { LitmusResult, Outcome, Placed, Report, VerifyResult } from "./data";
import { type Fitness, fitnessOf } from "./fitness";
import { count, place, plural, unbroken } from "./format";
import { Guarantees } from "./guarantees";
import { marks } from "./marks";
import { Term } from "./term";

export type Kind = "ring" | "check" | "litmus" | "bench";

/** What the report is about: the ring's own results, other people's programs, or one of the other tools alone. */
export const kindOf = (report: Report): Kind =>
  report.summary.guarantees.all.length ? "ring" : report.summary.tallies.verify ? "check" : report.summary.tallies.litmus ? "litmus" : "bench";

function Product({ kind, report }: { kind: Kind; report: Report }) {
  if (kind === "ring")
    return <p class="product"><b>ringproof</b> is a lock-free ring buffer for C++, the model checker that verified it, and the benchmarks that measured it. The checker runs every <Term of="execution">execution</Term> that a <Term of="memory model">memory model</Term> allows; here is what it proved, and what that costs on this machine.</p>;
  if (kind === "check") {
    const results = report.documents.filter((d) => d.kind === "verify").flatMap((d) => d.content.results as VerifyResult[]);
    const properties = [...new Set(results.flatMap((r) => r.properties ?? []))];
    return <p class="product"><b>ringproof</b> runs every <Term of="execution">execution</Term> of these programs that the <Term of="memory model">memory models</Term> allow, within the stated <Term of="bound">bounds</Term>{properties.length ? <>, and looks for {properties.join(", ").replace(/, ([^,]*)$/, " and $1").replace("assertions", "failed assertions").replace("races", "data races")}</> : null}.</p>;
  }
  if (kind === "litmus") return <p class="product"><b>ringproof</b> compared what each <Term of="litmus test">litmus test</Term> shows with what its <Term of="memory model">memory model</Term> allows.</p>;
  return <p class="product"><b>ringproof</b> measured queues on this machine, interleaved with their <Term of="subject, peer">peers</Term>, and checked that everything arrived.</p>;
}

function Machine({ report, fitness }: { report: Report; fitness: Fitness }) {
  const heads = report.documents.map((d) => (d.kind === "bench" ? d.content.context?.ringproof : d.content)?.environment ?? {});
  const of = (key: string) => heads.map((h) => h[key]).find((v) => v !== undefined && v !== null && v !== "");
  const words = [of("cpu"), of("cpus") ? `${of("cpus")} CPUs` : undefined, of("hypervisor") === true ? "virtual machine" : undefined, of("system")].filter(Boolean).map(String);
  return (
    <div class={`fitness ${fitness.state}`} id="fitness">
      <p><b>Machine</b> {words.length ? <span class="quiet">{words.join(", ")} · </span> : null}<span class="says">{fitness.says}</span></p>
      {fitness.warnings.length ? <details><summary>{fitness.warnings.length === 1 ? "The caution" : `The ${fitness.warnings.length} cautions`}</summary><ul>{fitness.warnings.map((w, i) => <li key={i}>{w}</li>)}</ul></details> : null}
    </div>
  );
}

interface Finding { outcome: Outcome; name: string; groups: string[]; what: string; found?: Placed<VerifyResult> }

/** One finding a program or scenario: the same outcome under several models stands once. */
function findingsOf(report: Report, verify: Placed<VerifyResult>[]): Finding[] {
  const findings = new Map<string, Finding>();
  for (const p of report.summary.problems) {
    const key = JSON.stringify([p.kind, p.outcome, p.name]), found = verify.find((v) => v.outcome === p.outcome && v.result.name === p.name && v.result.model === p.group && v.result.counterexample);
    const known = findings.get(key);
    if (!known) findings.set(key, { outcome: p.outcome, name: p.name, groups: [p.group].filter(Boolean), what: p.what, found });
    else known.groups.push(p.group), (known.found ??= found);
  }
  return [...findings.values()];
}

/** Findings first: each with its program, its place, and a way to its execution. */
function Problems({ report, verify, onOpen }: { report: Report; verify: Placed<VerifyResult>[]; onOpen(key: string): void }) {
  const findings = useMemo(() => findingsOf(report, verify), [report, verify]), most = 6;
  if (!findings.length) return null;
  const item = (f: Finding, i: number) => {
    const example = f.found?.result.counterexample, culprit = example?.events.find((e) => e.file && (example.culprits ?? []).includes(e.id));
    return (
      <li key={i}>
        <span class={`chip ${f.outcome}`}><span aria-hidden="true">{marks[f.outcome]}</span> {f.outcome}</span> <b>{f.name}</b>{f.groups.length ? <span class="quiet"> {f.groups.join(", ")}</span> : null}
        {culprit ? <code class="small quiet"> {place(culprit.file, culprit.line)}</code> : null}
        <span class="block what">{example ? `${example.kind.replace(/_/g, " ")}: ${example.message}` : f.what}</span>
        {f.found ? <button type="button" class="link first" onClick={() => onOpen(f.found!.key)}>counterexample</button> : null}
      </li>
    );
  };
  return (
    <div class="problems" role="region" aria-label="Not as expected">
      <h2>Not as expected</h2>
      <ul>{findings.slice(0, most).map(item)}</ul>
      {findings.length > most ? <details><summary>{findings.length - most} more</summary><ul>{findings.slice(most).map(item)}</ul></details> : null}
    </div>
  );
}

/** perf's own ring, from Linux's source: its scenarios, and what was found in the code as it is shipped. */
function KernelRing({ verify }: { verify: Placed<VerifyResult>[] }) {
  const results = verify.map((v) => v.result).filter((r) => /(^|\/)verify\/kernel\//.test(r.file ?? ""));
  if (!results.length) return null;
  const names = (of: VerifyResult[]) => new Set(of.map((r) => r.name)).size;
  const findings = names(results.filter((r) => r.verdict === "refuted" && /, as (shipped|documented)\b/.test(r.name)));
  const executions = results.reduce((sum, r) => sum + r.executions, 0);
  return <li id="kernel-ring"><a href="#scenarios">the kernel’s ring: {plural(names(results), "scenario")}, {plural(executions, "execution")}; {plural(findings, "finding")}</a></li>;
}

/** Published bugs of other libraries, in their own sources. */
function Museum({ verify }: { verify: Placed<VerifyResult>[] }) {
  const shown = (fixed: boolean, verdict: string) => verify.filter((v) => v.result.exhibit?.fixed === fixed && v.result.verdict === verdict).length;
  const bugs = shown(false, "refuted"), fixes = shown(true, "verified");
  if (!bugs && !fixes) return null;
  return <li id="museum"><a href="#scenarios">other libraries: {plural(bugs, "published bug")} refuted{fixes ? `, ${count(fixes)} verified after the fix` : null}</a></li>;
}

export function Overview({ report, verify, litmus, onOpen, onShow }: { report: Report; verify: Placed<VerifyResult>[]; litmus: Placed<LitmusResult>[]; onOpen(key: string): void; onShow(id: string): void }) {
  const { summary } = report, kind = kindOf(report), fitness = fitnessOf(report);
  const done = litmus.filter((l) => l.outcome !== "skipped").length, bench = summary.tallies.bench;
  return (
    <section id="overview" class={`hero ${summary.status}`} aria-labelledby="headline">
      <p class="status"><span class="mark" aria-hidden="true">{marks[summary.status]}</span></p>
      <div class="hero-text">
        <h1 id="headline">{unbroken(summary.headline)}</h1>
        <Product kind={kind} report={report} />
      </div>
      <div class="hero-body">
        <Problems report={report} verify={verify} onOpen={onOpen} />
        {kind === "ring" ? <Guarantees all={summary.guarantees.all} unmapped={summary.guarantees.unmapped} unfit={fitness.state === "unfit"} onShow={onShow} /> : null}
        {kind === "check" && !bench ? null : <Machine report={report} fitness={fitness} />}
        <ul class="totals">
          {summary.tallies.verify ? <li><a href="#scenarios">{unbroken(summary.verify_line)}</a></li> : null}
          <KernelRing verify={verify} />
          <Museum verify={verify} />
          {done ? <li><a href="#litmus">{unbroken(summary.litmus_line)}</a></li> : null}
          {bench ? <li><a href="#bench">{count(bench.passed)} benchmarks{summary.collapsed.length ? `; peers came to a standstill in ${count(summary.collapsed.length)} more` : ""}</a></li> : null}
        </ul>
      </div>
    </section>
  );
}
