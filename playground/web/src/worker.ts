// SPDX-License-Identifier: Apache-2.0
// Simulates beside the page, so that the page can stop what takes too long.
import { instantiate } from "./simulator.mjs";
import type { FromWorker, ToWorker } from "./simulation";

let answer: ReturnType<typeof instantiate> | undefined;

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const tell = (message: FromWorker) => postMessage(message);
  if ("module" in data) {
    answer = instantiate(data.module);
    return;
  }
  const begin = performance.now();
  try {
    const text = answer!(data.text, data.model, data.unroll);
    tell({ id: data.id, answer: JSON.parse(text), milliseconds: performance.now() - begin });
  } catch (error) {
    // The simulator answers with what is wrong; what it cannot answer (no stack left) leaves it in ruins.
    tell({ id: data.id, crash: String(error) });
  }
};
