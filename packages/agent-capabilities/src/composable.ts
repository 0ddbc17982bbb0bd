import type { DynamicToolkit } from "./dynamic-toolkit.ts";
import { CapabilityError } from "./errors.ts";
import type { HashOptions } from "./hash-options.ts";
import type { Hooks } from "./hooks.ts";
import type { Policy } from "./policy.ts";
import type { Tool } from "./tool.ts";
import type { Toolkit } from "./toolkit.ts";

/** What every composable has. */
export interface ComposableBase<Kind extends string> {
  readonly kind: Kind;
  readonly name: string;
  readonly policies: readonly Policy[];
  readonly hooks: Hooks;
  /** {@link ComposableBase.computeStaticHash} with the default options: 64 lowercase hex digits. */
  readonly staticHash: string;
  /**
   * SHA-256 of the definition. It is computed once for each set of options: a composable never changes.
   *
   * @throws {CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema`.
   */
  computeStaticHash(options?: HashOptions): string;
}

/** A tool, a toolkit or a dynamic toolkit, for any environment. */
export type Composable = Tool | Toolkit | DynamicToolkit;

/** How deep composables may nest, dynamic ones included. */
export const MAX_NESTING = 256;

const made = new WeakSet<object>();

/** Gives a definition its hash, freezes it and remembers that it is genuine. */
export function makeComposable<Definition extends object>(
  definition: Definition,
  compute: (self: Definition, options: HashOptions) => string,
): Readonly<Definition & { staticHash: string; computeStaticHash(options?: HashOptions): string }> {
  const digests = new Map<string, string>();
  const computeStaticHash = (options: HashOptions = {}): string => {
    const { sort, schemaSource, requireTransparentSchemas } = options;
    const key = `${sort} ${schemaSource} ${requireTransparentSchemas}`;
    let digest = digests.get(key);
    if (digest === undefined) {
      digest = compute(definition, options);
      digests.set(key, digest);
    }
    return digest;
  };
  const composable = Object.defineProperty(Object.assign(definition, { computeStaticHash }), "staticHash", {
    get: () => computeStaticHash(),
  }) as Definition & { staticHash: string; computeStaticHash(options?: HashOptions): string };
  made.add(composable);
  return Object.freeze(composable);
}

/** Refuses what `tool`, `toolkit` and `dynamicToolkit` have not made; so members can form no cycle. */
export function assertComposable(value: unknown, where: string): asserts value is Composable {
  if (typeof value === "object" && value !== null && made.has(value)) return;
  throw new CapabilityError(
    "invalid-argument",
    `${where}: expected what tool(), toolkit() or dynamicToolkit() of this copy of the package returned, received ${
      value === null ? "null" : typeof value
    }`,
  );
}

/** Refuses what `policy` could not have made. */
export function copyPolicies(where: string, policies: unknown): readonly Policy[] {
  if (policies === undefined) return Object.freeze([]);
  const valid = (entry: unknown): boolean =>
    typeof entry === "object" && entry !== null && typeof Reflect.get(entry, "evaluate") === "function";
  if (!Array.isArray(policies) || !policies.every(valid)) {
    throw new CapabilityError("invalid-argument", `${where}: expected policies as policy() returns them`);
  }
  return Object.freeze([...policies]) as readonly Policy[];
}
