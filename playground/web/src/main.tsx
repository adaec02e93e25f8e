// SPDX-License-Identifier: Apache-2.0
import base64 from "virtual:simulator";
import { render } from "preact";
import { App } from "./app";
import { unpack } from "./link";
import { Simulation } from "./simulation";
import "../../../reports/web/src/style.css";
import "./style.css";

const simulation = new Simulation(base64); // starts while the page is drawn
void unpack(location.hash).then((place) => render(<App simulation={simulation} place={place} />, document.getElementById("app")!));
