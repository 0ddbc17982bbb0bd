/** A value in a configuration, with its place in the text: `start` to `end`, in UTF-16 code units. */
export type ConfigNode = ScalarNode | ListNode | TableNode;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A string, number, boolean or null. A TOML date is represented by its text. */
interface ScalarNode extends Place {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

interface ListNode extends Place {
  readonly kind: "list";
  readonly layout: Layout;
  readonly items: readonly ConfigNode[];
}

export interface TableNode extends Place {
  readonly kind: "table";
  readonly layout: Layout;
  readonly members: readonly ConfigMember[];
}

export interface ConfigMember {
  readonly name: string;
  /** The start of the key. */
  readonly start: number;
  readonly value: ConfigNode;
}

/** `flow`: between brackets; `block`: by indentation, as in YAML; `sections`: under headers, as in TOML. */
export type Layout = "flow" | "block" | "sections";

/** The format of a configuration. `jsonc` is JSON with comments and trailing commas; every reader of it also reads JSON. */
export type ConfigFormat = "jsonc" | "toml" | "yaml";

/** The keys of members and the indexes of items that lead to a value. */
export type ConfigPath = readonly (string | number)[];
