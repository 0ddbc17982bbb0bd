interface Markup {
  readonly expression: RegExp;
  /** Returns the part of a found text that is compared; the whole text by default. */
  readonly keyOf?: (found: string) => string;
}

const MARKUP: readonly Markup[] = [
  // Tags of HTML and XML, comments, and the special tokens of models: <|im_start|>, <<SYS>>.
  {
    expression: /<[!/?]?[A-Za-z][^<>]{0,200}>|<!--|-->|<\|[^|<>]{0,64}\|>|<<[/A-Za-z][^<>]{0,64}>>/g,
    keyOf: (found) =>
      /^<[!/?]?[A-Za-z][\w:-]*/.test(found) ? `${/^<[!/?]?[\w:-]+/.exec(found)?.[0].toLowerCase()}>` : found,
  },
  { expression: /`{3,}|~{3,}/g, keyOf: (found) => found.slice(0, 3) },
  // [INST], [/INST], [SYSTEM PROMPT].
  { expression: /\[\/?[A-Z][A-Z0-9_ ]{1,32}\]/g },
  { expression: /^[ \t]{0,3}#{1,6}[ \t]+[^\n]{1,80}/gm, keyOf: (found) => found.trim() },
  // Delimiters inside a line.
  { expression: /#{3,}|-{3,}/g, keyOf: (found) => found.slice(0, 3) },
  // The roles of a conversation as the transcripts of models write them, where a line or a sentence begins.
  {
    expression:
      /(?<=^[ \t]{0,3}|[.!?][ \t]{1,3})(?:SYSTEM|System|DEVELOPER|Developer|USER|User|HUMAN|Human|ASSISTANT|Assistant):/gm,
  },
  { expression: /^[ \t]{0,3}([-=*_#+])\1{2,}[ \t]*$/gm, keyOf: (found) => found.trim().slice(0, 3) },
  { expression: /\{\{|\}\}|\{%|%\}|!\[/g },
  // Characters that are written as something else: &#x200b; and \u200b.
  { expression: /&(?:#x?[0-9a-f]{1,6}|[a-z]{2,10});|\\u\{?[0-9a-f]{4,6}\}?|\\x[0-9a-f]{2}/gi },
];

/** The markup and delimiters of a text, each once. */
export function findMarkup(text: string): Set<string> {
  const found = new Set<string>();
  for (const { expression, keyOf } of MARKUP) {
    for (const [match] of text.matchAll(expression)) found.add(keyOf ? keyOf(match) : match);
  }
  return found;
}
