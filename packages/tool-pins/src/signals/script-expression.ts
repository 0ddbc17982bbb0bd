const expressions = new Map<string, RegExp>();

/**
 * An expression with names of scripts in the place of their letters, such as `[Latin Greek]$`; made when it is first asked for, because
 * that loads Unicode data of the engine.
 */
export function scriptExpression(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(pattern.replace(/(\w+) ?/g, "\\p{Script=$1}"), "u");
    expressions.set(pattern, expression);
  }
  return expression;
}
