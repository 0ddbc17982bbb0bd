import ts from "typescript";

/** A change at one place in a source text. */
export interface Change {
  readonly operator: string;
  readonly start: number;
  readonly before: string;
  readonly after: string;
  /** The statement around the place, or else the class member or property. */
  readonly statement: Span;
  /** The function around the place, or the statement if there is no function. */
  readonly scope: Span;
}

/** A piece of the source text. */
export interface Span {
  readonly start: number;
  readonly text: string;
}

const SWAPPED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
]);
const COMPARISONS = new Set(["<=", "<", ">=", ">", "!==", "==="]);
const LOGICAL = new Set(["||", "&&"]);

/** Returns every change that the operators can make in a source text, in the order of their places. */
export function changesOf(text: string, fileName = "source.ts"): Change[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  const replace = (operator: string, node: ts.Node, after: string): void => {
    const start = node.getStart(source);
    const before = text.slice(start, node.end);
    const mutated = text.slice(0, start) + after + text.slice(node.end);
    if (before === after || !parses(mutated)) return;
    const statement = spanOf(around(node, isPlace) ?? node, source);
    const scope = around(node, ts.isFunctionLike);
    changes.push({ operator, start, before, after, statement, scope: scope ? spanOf(scope, source) : statement });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    mutate(node, replace);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

type Replace = (operator: string, node: ts.Node, after: string) => void;

function mutate(node: ts.Node, replace: Replace): void {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression, replace);
  if (ts.isConditionalExpression(node)) negate(node.condition, replace);
  if (ts.isIfStatement(node) && node.elseStatement === undefined && leaves(node.thenStatement)) {
    replace("remove a guard", node, ";");
  } else if (ts.isExpressionStatement(node)) replace("remove a statement", node, ";");
  if (ts.isBinaryExpression(node)) swap(node.operatorToken, replace);
  if (ts.isNumericLiteral(node)) replace("change a number", node, String(Number(node.text) + 1));
  if (ts.isBigIntLiteral(node)) replace("change a number", node, `(${node.text} + 1n)`);
  if (node.kind === ts.SyntaxKind.TrueKeyword) replace("turn a boolean", node, "false");
  if (node.kind === ts.SyntaxKind.FalseKeyword) replace("turn a boolean", node, "true");
  if (ts.isStringLiteral(node) && isValue(node)) replace("empty a string", node, node.text === "" ? '"?"' : '""');
  if (ts.isNoSubstitutionTemplateLiteral(node)) replace("empty a string", node, '""');
  if (ts.isArrayLiteralExpression(node)) dropElements(node, replace);
}

function negate(condition: ts.Expression, replace: Replace): void {
  replace("negate a condition", condition, `!(${condition.getText()})`);
}

function swap(token: ts.BinaryOperatorToken, replace: Replace): void {
  const after = SWAPPED.get(token.kind);
  if (after === undefined) return;
  const logical = LOGICAL.has(after) ? "swap && and ||" : "swap + and -, or * and /";
  replace(COMPARISONS.has(after) ? "swap a comparison" : logical, token, after);
}

function dropElements({ elements }: ts.ArrayLiteralExpression, replace: Replace): void {
  if (elements.length < 2) return;
  // A gap would be read as `undefined`, so the element is removed together with its comma.
  for (const element of elements) replace("drop an element", element, "...[]");
}

/** Returns whether a statement is only a return, a throw, a continue or a break, alone or in a block. */
function leaves(statement: ts.Statement): boolean {
  if (ts.isBlock(statement))
    return statement.statements.length === 1 && leaves(statement.statements[0] as ts.Statement);
  return [ts.isReturnStatement, ts.isThrowStatement, ts.isContinueStatement, ts.isBreakStatement].some((is) =>
    is(statement),
  );
}

/**
 * Returns whether a string is a value, not the name of a member or a module, nor a sentence, whose words no test should
 * repeat.
 */
function isValue(node: ts.StringLiteral): boolean {
  const { parent, text } = node;
  if (/\w \w/.test(text)) return false;
  if (ts.isCallExpression(parent)) return parent.expression.kind !== ts.SyntaxKind.ImportKeyword;
  return !("name" in parent && parent.name === node);
}

/** Returns whether a text has no syntax error. */
function parses(text: string): boolean {
  const source = ts.createSourceFile("mutant.ts", text, ts.ScriptTarget.Latest) as ts.SourceFile & {
    parseDiagnostics: readonly unknown[];
  };
  return source.parseDiagnostics.length === 0;
}

function around(node: ts.Node, is: (node: ts.Node) => boolean): ts.Node | undefined {
  for (let outer: ts.Node | undefined = node; outer !== undefined; outer = outer.parent) if (is(outer)) return outer;
  return undefined;
}

const isPlace = (node: ts.Node): boolean =>
  (ts.isStatement(node) && !ts.isBlock(node)) || ts.isClassElement(node) || ts.isPropertyAssignment(node);

function spanOf(node: ts.Node, source: ts.SourceFile): Span {
  const start = node.getStart(source);
  return { start, text: source.text.slice(start, node.end) };
}
