const expressions = new Map<string, RegExp>();

/**
 * An expression with script names instead of their letters, such as `[Latin Greek]$`; compiled on first use, because
 * that loads the engine's Unicode data.
 */
export function scriptExpression(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(pattern.replace(/(\w+) ?/g, "\\p{Script=$1}"), "u");
    expressions.set(pattern, expression);
  }
  return expression;
}
