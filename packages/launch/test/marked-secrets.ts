/** Returns a text without the marks « and » around its secrets, and its expected redaction. */
export function marked(text: string): { readonly given: string; readonly redacted: string } {
  return {
    given: text.replace(/[«»]/g, ""),
    redacted: text.replace(/«[^»]*»/g, "<redacted>"),
  };
}
