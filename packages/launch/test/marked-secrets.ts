/** Returns a text, whose secrets are between « and », without these marks, and its expected redaction. */
export function marked(text: string): { readonly given: string; readonly redacted: string } {
  return {
    given: text.replace(/[«»]/g, ""),
    redacted: text.replace(/«[^»]*»/g, "<redacted>"),
  };
}
