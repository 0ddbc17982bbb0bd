/** The kind of a new element in a text: one that instructions to a model need, or one that hides them. */
export type SignalKind =
  | "url"
  | "host"
  | "path"
  | "email"
  | "environment-variable"
  | "name"
  | "markup"
  | "encoded"
  | "invisible"
  | "mixed-script"
  | "new-words";

/** One structural signal in a changed text. It says where to look, not that the text is hostile. */
export interface ProseSignal {
  readonly signal: SignalKind;
  /** The new text on one line, escaped and cut as `printable` does. */
  readonly text: string;
}
