/** A text whose secrets stand between « and », without these marks, and what it must be when it is redacted. */
export function marked(text: string): { readonly given: string; readonly redacted: string } {
  return {
    given: text.replace(/[«»]/g, ""),
    redacted: text.replace(/«[^»]*»/g, "<redacted>"),
  };
}
