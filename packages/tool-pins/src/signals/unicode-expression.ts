/**
 * An expression with Unicode classes, compiled on first use. As a literal it would be slower to import: V8 checks a literal when it parses
 * the file, and loads the engine's Unicode data for that.
 */
/* @__NO_SIDE_EFFECTS__ */ export function unicodeExpression(pattern: string, flags = "u"): () => RegExp {
  let expression: RegExp | undefined;
  return () => (expression ??= new RegExp(pattern, flags));
}

/** The same for a pattern with script names instead of their letters, such as `[Latin Greek]$`. */
/* @__NO_SIDE_EFFECTS__ */ export function scriptExpression(pattern: string): () => RegExp {
  return unicodeExpression(pattern.replace(/(\w+) ?/g, "\\p{sc=$1}"));
}
