/**
 * The settings in a document, which do not affect findings: how servers are visited, which configurations are compared,
 * and who attests.
 */
export interface Settings {
  readonly visits: VisitSettings;
  /** The paths of client configurations in other folders, relative to the lock's folder, with `/` between folders. */
  readonly configurations: readonly string[];
  /** The people who may attest entries of the lock. */
  readonly reviewers: readonly Reviewer[];
}

/** A person who attests entries of the lock. */
export interface Reviewer {
  readonly name: string;
  /** The public Ed25519 keys, each as the Base64 of its SubjectPublicKeyInfo. No two reviewers share a key. */
  readonly keys: readonly string[];
}

/** How servers are visited. Times are in milliseconds. */
export interface VisitSettings {
  /** The number of servers that are visited at the same time. */
  readonly concurrency?: number;
  /** `auto` for both eras, or a protocol version. */
  readonly protocol?: string;
  readonly views?: "client" | "all";
  /** Whether prompts without required arguments, and text resources, are also read. */
  readonly contents?: boolean;
  readonly connectTimeout?: number;
  readonly requestTimeout?: number;
  readonly totalTimeout?: number;
  readonly probeTimeout?: number;
  readonly settle?: number;
  readonly maxBytes?: number;
  readonly maxItems?: number;
  readonly maxPages?: number;
  /**
   * The members that servers may answer differently at each start, in the form that `agentprint pin --vary` accepts.
   */
  readonly vary?: readonly string[];
  /** The URIs of resources that are not pinned, by the names of their servers. */
  readonly leaveOut?: Readonly<Record<string, readonly string[]>>;
}

/** The names of a document's settings. */
export const SETTINGS = ["visits", "configurations", "reviewers"] as const;
