// SPDX-License-Identifier: Apache-2.0
// The module that playground/wasm builds, as a function. The same in a browser's worker and in Node.

/**
 * @param {WebAssembly.Module} module
 * @returns {(text: string, model: string, unroll: number) => string} its answer is JSON: litmus/src/answer/answer.hpp
 */
export function instantiate(module) {
  /** @type {Record<string, (...values: any[]) => any>} */
  const known = {
    clock_time_get(/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ at) {
      new DataView(memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get(/** @type {number} */ count, /** @type {number} */ size) {
      new DataView(memory.buffer).setUint32(count, 0, true);
      new DataView(memory.buffer).setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    emscripten_notify_memory_growth() {},
  };
  /** @type {Record<string, Record<string, WebAssembly.ImportValue>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = known[name] ?? (() => {
      throw new Error(`the simulator called ${name}, which it has no need of`);
    });
  const { memory, malloc, free, ringproof_answer, _initialize } = /** @type {any} */ (new WebAssembly.Instance(module, imports).exports);
  _initialize();

  const encoder = new TextEncoder(), decoder = new TextDecoder();
  const put = (/** @type {string} */ text) => {
    const bytes = encoder.encode(text), at = malloc(bytes.length + 1);
    const room = new Uint8Array(memory.buffer, at, bytes.length + 1);
    room.set(bytes);
    room[bytes.length] = 0;
    return at;
  };
  return (text, model, unroll) => {
    const texts = [put(text), put(model)];
    const at = ringproof_answer(...texts, unroll);
    texts.forEach(free);
    const bytes = new Uint8Array(memory.buffer, at);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  };
}
