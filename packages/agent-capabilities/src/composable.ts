import type { DynamicToolkit } from "./dynamic-toolkit.ts";
import { CapabilityError } from "./errors.ts";
import type { HashOptions } from "./hash-options.ts";
import type { Hooks } from "./hooks.ts";
import { copyPolicy, type Policy } from "./policy.ts";
import { invalid } from "./require.ts";
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

/** What tools, toolkits and dynamic toolkits share: one digest for each set of options, computed when it is asked for. */
export abstract class Hashed {
  /** With the default options. */
  #digest: string | undefined;
  /** With others, by those. */
  #others: Map<string, string> | undefined;

  /** Whether a value was made by this copy of the package. */
  static made(value: unknown): value is Composable {
    return typeof value === "object" && value !== null && #digest in value;
  }

  get staticHash(): string {
    return this.computeStaticHash();
  }

  computeStaticHash(options: HashOptions = {}): string {
    const { sort = "code-unit", schemaSource = "to-json-schema", requireTransparentSchemas = false } = options;
    if (sort === "code-unit" && schemaSource === "to-json-schema" && !requireTransparentSchemas) {
      this.#digest ??= this.hash({});
      return this.#digest;
    }
    const key = `${sort} ${schemaSource} ${requireTransparentSchemas}`;
    const digest = this.#others?.get(key) ?? this.hash(options);
    this.#others ??= new Map();
    this.#others.set(key, digest);
    return digest;
  }

  protected abstract hash(options: HashOptions): string;
}

/** Refuses what `tool`, `toolkit` and `dynamicToolkit` have not made; so members can form no cycle. */
export function assertComposable(value: unknown, where: string): asserts value is Composable {
  if (Hashed.made(value)) return;
  throw new CapabilityError(
    "invalid-argument",
    `${where}: expected what tool(), toolkit() or dynamicToolkit() of this copy of the package returned, received ${
      value === null ? "null" : typeof value
    }`,
  );
}

/** A frozen copy of hooks. */
export function copyHooks(hooks: Hooks | undefined): Hooks {
  return hooks === undefined ? NONE : Object.freeze({ ...hooks });
}

const NONE: Hooks = Object.freeze({});

/** A frozen copy of policies, of which each can be asked, hashed and replayed. */
export function copyPolicies(where: string, policies: unknown): readonly Policy[] {
  if (policies === undefined) return Object.freeze([]);
  if (!Array.isArray(policies)) throw invalid(`${where}: policies`, "an array", policies);
  return Object.freeze(policies.map((policy: unknown, index) => copyPolicy(`${where}: policy ${index}`, policy)));
}
