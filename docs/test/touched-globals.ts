import ts from "typescript";

/** The resource that each global of a platform touches. */
const RESOURCES: Readonly<Record<string, string>> = {
  setTimeout: "timers",
  setInterval: "timers",
  setImmediate: "timers",
  performance: "clock",
  crypto: "chance",
  fetch: "sockets",
  process: "own process",
};

/** The names of `node:crypto` that produce random values. */
const CHANCE = /^(?:random|getRandom|webcrypto$)/;

/** Names of globals; a source without any of them touches nothing and need not be parsed. */
const ANY_NAME = new RegExp(`\\b(?:${[...Object.keys(RESOURCES), "Date", "globalThis"].join("|")})\\b`);

/** A resource that a source touches through a global, and the line that does so. */
export interface Touched {
  readonly resource: string;
  readonly line: number;
}

/**
 * Returns the platform parts that a source touches through globals; names that the file declares or imports do not
 * count.
 */
export function touchedGlobals(text: string): Touched[] {
  if (!ANY_NAME.test(text)) return [];
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  const own = new Set<string>();
  const read: (Touched & { readonly name: string })[] = [];
  const found: Touched[] = [];
  const visit = (node: ts.Node): void => {
    if (builtinModule(node) !== undefined) return;
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (isDeclaration(node) && node.name && ts.isIdentifier(node.name)) own.add(node.name.text);
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const name = globalOf(node);
    const resource = name === "Date" ? "clock" : RESOURCES[name ?? ""];
    if (name !== undefined && resource !== undefined) read.push({ resource, name, line });
    found.push(...takenFrom(node).map((resource) => ({ resource, line })));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found, ...read.filter(({ name }) => !own.has(name)).map(({ resource, line }) => ({ resource, line }))];
}

/**
 * Returns the platform's modules that a source loads with a call; such a call is an import, and reads nothing from the
 * process.
 */
export function builtinModules(text: string): string[] {
  if (!text.includes("getBuiltinModule")) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...(builtinModule(node) ?? []));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true));
  return found;
}

/** Returns the module that a node loads if it is `process.getBuiltinModule("…")`. */
function builtinModule(node: ts.Node): [string] | undefined {
  if (!ts.isCallExpression(node) || node.expression.getText() !== "process.getBuiltinModule") return undefined;
  const [name, ...more] = node.arguments;
  return name !== undefined && ts.isStringLiteral(name) && more.length === 0 ? [name.text] : undefined;
}

/** Returns the resources that a declaration takes from `globalThis`, or imports as names that produce random values. */
function takenFrom(node: ts.Node): string[] {
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && isGlobalThis(node.initializer)) {
    return node.name.elements.flatMap(({ name, propertyName = name }) => RESOURCES[propertyName.getText()] ?? []);
  }
  if (!ts.isImportDeclaration(node) || (node.moduleSpecifier as ts.StringLiteral).text !== "node:crypto") return [];
  const bindings = node.importClause?.namedBindings;
  const names = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  return names.filter(({ isTypeOnly, name }) => !isTypeOnly && CHANCE.test(name.text)).map(() => "chance");
}

function isGlobalThis(node: ts.Node | undefined): boolean {
  if (node && ts.isAsExpression(node)) return isGlobalThis(node.expression);
  return node !== undefined && isNamed(node, "globalThis");
}

type Named = ts.Node & { readonly name?: ts.Node | undefined };

function isDeclaration(node: ts.Node): node is Named {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isImportSpecifier(node) ||
    ts.isImportClause(node) ||
    ts.isNamespaceImport(node)
  );
}

/** Returns the global that a node reads; `Date` only if the node requests the current time. */
function globalOf(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && isNamed(node.expression, "Date")) return node.arguments?.length ? undefined : "Date";
  if (ts.isPropertyAccessExpression(node)) {
    if (isNamed(node.expression, "Date") && node.name.text === "now") return "Date";
    return isNamed(node.expression, "globalThis") ? node.name.text : undefined;
  }
  return ts.isIdentifier(node) && isRead(node) ? node.text : undefined;
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

/** Returns whether an identifier is a value that is read, not the name of a member or of a declaration. */
function isRead(node: ts.Identifier): boolean {
  if (node.text === "Date") return false;
  const { parent } = node as { readonly parent: Named & { readonly propertyName?: ts.Node } };
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return parent.name !== node && parent.propertyName !== node;
}
