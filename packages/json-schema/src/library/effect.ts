import type { Answers, LibrarySchema, SchemaView } from "./library-schema.ts";

/** The parts of a node in Effect's schema syntax tree that are read here. */
interface Node {
  readonly _tag: string;
  readonly annotations?: { readonly [name: string]: unknown } | undefined;
  /** How the value is encoded; the last link leads to the transmitted form. */
  readonly encoding?: readonly { readonly to: Node }[] | undefined;
  readonly typeParameters?: readonly Node[];
  readonly elements?: readonly Node[];
  readonly rest?: readonly Node[];
  readonly propertySignatures?: readonly { readonly type: Node }[];
  readonly indexSignatures?: readonly { readonly parameter: Node; readonly type: Node }[];
  readonly types?: readonly Node[];
  readonly thunk?: () => Node;
}

export function effectAnswers(schema: LibrarySchema, view: SchemaView, ask: () => unknown): Answers {
  return { ask, isWhole: () => isWhole((schema as { readonly ast?: Node }).ast, view) };
}

/**
 * Returns whether Effect can write the complete schema. It writes `{}` for a declaration that has no codec, such as
 * `Schema.instanceOf`, and `{ not: {} }` for every unique symbol.
 */
function isWhole(root: Node | undefined, view: SchemaView): boolean {
  const seen = new Set(root === undefined ? [] : [root]);
  for (const node of seen) {
    const sent = view === "input" ? encoded(node) : node;
    if (sent._tag === "UniqueSymbol" || (sent._tag === "Declaration" && !hasCodec(sent))) return false;
    for (const part of partsOf(sent)) seen.add(part);
  }
  return true;
}

function encoded(node: Node): Node {
  const link = node.encoding?.at(-1);
  return link === undefined ? node : encoded(link.to);
}

function hasCodec({ annotations }: Node): boolean {
  return typeof (annotations?.["toCodecJson"] ?? annotations?.["toCodec"]) === "function";
}

function partsOf({ typeParameters, elements, rest, types, ...node }: Node): Node[] {
  return [
    ...[typeParameters, elements, rest, types].flatMap((nodes) => nodes ?? []),
    ...(node.propertySignatures ?? []).map(({ type }) => type),
    ...(node.indexSignatures ?? []).flatMap(({ parameter, type }) => [parameter, type]),
    ...(node._tag === "Suspend" && node.thunk ? [node.thunk()] : []),
  ];
}
