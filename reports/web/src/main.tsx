// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { App } from "./app";
import { readReport } from "./data";
import "./style.css";

const report = readReport();
render(report ? <App report={report} /> : <main><h1>No results in this page</h1><p>It is the template that <code>ringproof report</code> fills.</p></main>,
  document.getElementById("app")!);
