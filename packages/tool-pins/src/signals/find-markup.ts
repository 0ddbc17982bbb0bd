/** Expressions, each with the number of UTF-16 code units of a match that are compared; absent if all are. */
const MARKUP: readonly (readonly [expression: RegExp, length?: number])[] = [
  // Tags of HTML and XML, comments, and the special tokens of models: <|im_start|>, <<SYS>>.
  [/<[!/?]?[A-Za-z][^<>]{0,200}>|<!--|-->|<\|[^|<>]{0,64}\|>|<<[/A-Za-z][^<>]{0,64}>>/g],
  [/`{3,}|~{3,}/g, 3],
  // [INST], [/INST], [SYSTEM PROMPT].
  [/\[\/?[A-Z][A-Z0-9_ ]{1,32}\]/g],
  [/^[ \t]{0,3}#{1,6}[ \t]+[^\n]{1,80}/gm],
  // Delimiters inside a line.
  [/#{3,}|-{3,}/g, 3],
  // The roles of a conversation, as in model transcripts, at the beginning of a line or sentence.
  [
    /(?<=^[ \t]{0,3}|[.!?][ \t]{1,3})(?:SYSTEM|System|DEVELOPER|Developer|USER|User|HUMAN|Human|ASSISTANT|Assistant):/gm,
  ],
  [/^[ \t]{0,3}([-=*_#+])\1{2,}[ \t]*$/gm, 3],
  [/\{\{|\}\}|\{%|%\}|!\[/g],
  // Escaped characters: &#x200b; and \u200b.
  [/&(?:#x?[0-9a-f]{1,6}|[a-z]{2,10});|\\u\{?[0-9a-f]{4,6}\}?|\\x[0-9a-f]{2}/gi],
];

/** Returns the markup and delimiters in a text, each once. */
export function findMarkup(text: string): Set<string> {
  const found = new Set<string>();
  for (const [expression, length] of MARKUP) {
    for (const match of text.match(expression) ?? []) found.add(keyOf(match, length));
  }
  return found;
}

/** Returns the part that is compared: a tag's kind and name, or the beginning of other markup. */
function keyOf(found: string, length: number | undefined): string {
  const tag = /^<[!/?]?[A-Za-z][\w:-]*/.exec(found);
  return tag ? `${tag[0].toLowerCase()}>` : found.trim().slice(0, length);
}
