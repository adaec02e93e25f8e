// SPDX-License-Identifier: Apache-2.0
// The machine once, and each document with what is its own.
import type { Report } from "./data";
import { plain, shell } from "./format";

function Facts({ about }: { about: Record<string, unknown> }) {
  return (
    <dl class="facts">
      {Object.entries(about).filter(([, value]) => value !== null && value !== "").map(([key, value]) => (
        <div key={key}><dt>{key.replace(/_/g, " ")}</dt><dd>{Array.isArray(value) ? value.map(plain).join(" ") : plain(value)}</dd></div>
      ))}
    </dl>
  );
}

export function Machine({ report }: { report: Report }) {
  const documents = report.documents.map((d) => {
    const context = d.content.context ?? {}, head = d.kind === "bench" ? (context.ringproof ?? {}) : d.content;
    const { caches, ringproof, load_avg, ...rest } = context;
    const tool = head.tool ? { tool: `${plain(head.tool.name)} ${plain(head.tool.version)} ${plain(head.tool.commit)}` } : {};
    const about: Record<string, unknown> = { ...tool, ...(head.environment ?? {}), ...(d.kind === "bench" ? rest : {}) };
    return { file: d.file, about, invocation: head.invocation ? shell(head.invocation.map(plain)) : "" };
  });
  // What all say alike stands once.
  const [first, ...others] = documents;
  const shared = Object.fromEntries(Object.entries(first?.about ?? {}).filter(([key, value]) => others.every((o) => plain(o.about[key]) === plain(value))));
  return (
    <div class="cards">
      {Object.keys(shared).length ? <article class="card"><h3>{others.length ? "The same in all documents" : first!.file}</h3><Facts about={others.length ? shared : { ...shared, ...(first!.invocation ? { invocation: first!.invocation } : {}) }} /></article> : null}
      {others.length || !Object.keys(shared).length ? (
        <article class="card">
          <h3>Documents</h3>
          {documents.map((d, i) => (
            <details key={i}>
              <summary>{d.file}{d.invocation ? <code class="small quiet block">{d.invocation}</code> : null}</summary>
              <Facts about={Object.fromEntries(Object.entries(d.about).filter(([key]) => !(key in shared)))} />
            </details>
          ))}
        </article>
      ) : null}
    </div>
  );
}
