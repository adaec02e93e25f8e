// SPDX-License-Identifier: Apache-2.0
// The text of the test: line numbers, undo, and errors where they are. Tab leaves it, as everywhere on a page.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";

export interface Problem { message: string; line?: number; column?: number }

interface Props {
  text: string;
  problem: Problem | null;
  line: number | null; // of the event that the graph shows
  onChange(text: string): void;
  onRun(): void;
}

const setLine = StateEffect.define<number | null>();
const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setLine))
        return effect.value && effect.value <= transaction.state.doc.lines
          ? Decoration.set([Decoration.line({ class: "event-line" }).range(transaction.state.doc.line(effect.value).from)])
          : Decoration.none;
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The simulator counts bytes of UTF-8, the editor UTF-16 units. */
function offset(state: EditorState, line: number, column: number): number {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const before = new TextDecoder().decode(new TextEncoder().encode(at.text).subarray(0, column - 1));
  return Math.min(at.from + before.length, at.to);
}

function diagnostics(state: EditorState, problem: Problem | null): Diagnostic[] {
  if (!problem?.line) return [];
  let from = offset(state, problem.line, problem.column ?? 1);
  const line = state.doc.lineAt(from), word = /^\s*[\w.$]+|^\s*\S/.exec(line.text.slice(from - line.from));
  let to = Math.min(line.to, from + (word?.[0].length ?? 0));
  if (to === from && from > line.from) from -= 1; // at the end of a line: what stands before it
  to = Math.max(to, from);
  return [{ from, to, severity: "error", message: problem.message }];
}

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--line)", fontFamily: "var(--mono)" },
  ".cm-scroller": { overflow: "auto" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".event-line": { backgroundColor: "var(--warn-ground)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--text)", border: "1px solid var(--line)" },
});

export function Editor({ text, problem, line, onChange, onRun }: Props) {
  const place = useRef<HTMLDivElement>(null), view = useRef<EditorView>();
  const calls = useRef({ text, onChange, onRun });
  calls.current = { text, onChange, onRun };

  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), history(), drawSelection(), highlightSpecialChars(), markedLine, theme,
          keymap.of([{ key: "Mod-Enter", run: () => (calls.current.onRun(), true) }, ...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "Litmus test", id: "test", tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const now = docChanged ? state.doc.toString() : calls.current.text;
            if (now !== calls.current.text) calls.current.onChange(now); // not what we have just put in
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current!, before = editor.state.doc.toString();
    if (before !== text) editor.dispatch({ changes: { from: 0, to: before.length, insert: text } });
  }, [text]);
  useEffect(() => view.current!.dispatch(setDiagnostics(view.current!.state, diagnostics(view.current!.state, problem))), [problem]);
  useEffect(() => view.current!.dispatch({ effects: setLine.of(line) }), [line]);

  return <div class="editor" ref={place} />;
}
