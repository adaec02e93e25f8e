// SPDX-License-Identifier: Apache-2.0
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
  return (
    <div class="cards">
      {report.documents.map((d, i) => {
        const context = d.content.context ?? {};
        const head = d.kind === "bench" ? (context.ringproof ?? {}) : d.content;
        const { caches, ringproof, load_avg, ...rest } = context;
        const tool = head.tool ? { tool: `${plain(head.tool.name)} ${plain(head.tool.version)} ${plain(head.tool.commit)}` } : {};
        return (
          <article class="card" key={i}>
            <h3>{d.file}</h3>
            <Facts about={{ ...tool, ...(head.environment ?? {}), ...(d.kind === "bench" ? rest : {}), ...(head.invocation ? { invocation: shell(head.invocation.map(plain)) } : {}) }} />
          </article>
        );
      })}
    </div>
  );
}
