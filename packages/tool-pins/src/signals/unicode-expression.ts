/**
 * Returns an expression with Unicode classes that is compiled on first use. A literal would be slower to import,
 * because V8 checks it when it parses the file and loads its Unicode data for that.
 */
/* @__NO_SIDE_EFFECTS__ */ export function unicodeExpression(pattern: string, flags = "u"): () => RegExp {
  let expression: RegExp | undefined;
  return () => (expression ??= new RegExp(pattern, flags));
}

/**
 * Returns an expression for a pattern such as `[Latin Greek]$`, in which script names stand for the scripts' letters.
 */
/* @__NO_SIDE_EFFECTS__ */ export function scriptExpression(pattern: string): () => RegExp {
  return unicodeExpression(pattern.replace(/(\w+) ?/g, "\\p{sc=$1}"));
}
