// SPDX-License-Identifier: Apache-2.0
/** What to run to have what is missing. */
export const Command = ({ words }: { words: string }) => <span class="small block todo">run <code>{words}</code></span>;
