import ts from "typescript";

/** A place where a value of any type becomes text or a number. */
export interface Coercion {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Functions that turn any value into text or a number by calling its methods. */
const COERCING: ReadonlySet<string> = new Set(["String", "Number", "BigInt", "parseInt", "parseFloat"]);
const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Void |
  ts.TypeFlags.Never;

/**
 * Returns the places where `String()`, `Number()`, a template, `+` or `join` receives an unchecked value: of type
 * `unknown` or `any`, or of JSON. A peer can send an object whose `toString` is a number, for which the conversion
 * throws.
 *
 * @param roots Files.
 */
export function findCoercions(roots: readonly string[], options: ts.CompilerOptions): Coercion[] {
  const program = ts.createProgram([...roots], options);
  const checker = program.getTypeChecker();
  const wanted = new Set(roots);
  return program
    .getSourceFiles()
    .flatMap((source) => (wanted.has(source.fileName) ? coercionsIn(source, checker) : []));
}

function coercionsIn(source: ts.SourceFile, checker: ts.TypeChecker): Coercion[] {
  const found: Coercion[] = [];
  const visit = (node: ts.Node): void => {
    for (const value of coerced(node, checker)) {
      if (!isUnchecked(checker.getTypeAtLocation(value), checker)) continue;
      const { line } = source.getLineAndCharacterOfPosition(value.getStart());
      found.push({ file: source.fileName, line: line + 1, text: node.getText().slice(0, 80) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the values that an expression turns into text or a number. */
function coerced(node: ts.Node, checker: ts.TypeChecker): readonly ts.Expression[] {
  if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) {
    return node.templateSpans.map(({ expression }) => expression);
  }
  if (ts.isPrefixUnaryExpression(node))
    return [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken].includes(node.operator) ? [node.operand] : [];
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind === ts.SyntaxKind.PlusToken || kind === ts.SyntaxKind.PlusEqualsToken ? [node.left, node.right] : [];
  }
  if (!ts.isCallExpression(node)) return [];
  const { expression, arguments: given } = node;
  if (ts.isIdentifier(expression)) return COERCING.has(expression.text) ? given.slice(0, 1) : [];
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { expression: owner, name } = expression;
  const isArray = checker.isArrayType(checker.getNonNullableType(checker.getTypeAtLocation(owner)));
  return isArray && name.text === "join" ? [owner] : [];
}

/** Returns whether a value of a type can be anything: `unknown`, `any`, or a JSON object. */
function isUnchecked(type: ts.Type, checker: ts.TypeChecker, around: readonly ts.Type[] = []): boolean {
  if (around.includes(type)) return false;
  const inside = (inner: ts.Type): boolean => isUnchecked(inner, checker, [...around, type]);
  if (type.isUnion()) return type.types.some(inside);
  if (type.flags & PRIMITIVE) return false;
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  if (type.flags & ts.TypeFlags.TypeParameter)
    return inside(checker.getBaseConstraintOfType(type) ?? checker.getUnknownType());
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    return checker.getTypeArguments(type as ts.TypeReference).some(inside);
  }
  // A JSON object can have members with any name.
  return type.getStringIndexType() !== undefined;
}
