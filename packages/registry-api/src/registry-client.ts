import type { CapabilityManifest } from "@agentprint/manifest";
import type {
  Agent,
  AgentItem,
  Consent,
  Diff,
  HistoryEntry,
  Preview,
  PublishAnswer,
  ResetNews,
  StartNews,
  VersionAnswer,
  VersionItem,
  VersionName,
  VersionNews,
} from "./answers/answers.ts";

/** A manifest from a registry; its hash was recomputed. */
export interface ReadManifest extends VersionName {
  readonly manifest: CapabilityManifest;
}

/** How a manifest is published. */
export interface PublishOptions {
  /** Whether the agent is added if it does not exist. */
  readonly create?: boolean;
  /**
   * Receives what publishing would do, and returns whether to publish. Called again if another version came first, so
   * that exactly the reviewed change is published. Not called for the first version of an agent.
   */
  readonly review?: (preview: Preview) => boolean | Promise<boolean>;
}

/** The result of publishing. */
export type Published =
  /** `published`: the manifest became the version in the answer. `unchanged`: it was already the present version. */
  | { readonly outcome: "published" | "unchanged"; readonly answer: PublishAnswer }
  /** The review refused the change that the preview shows. */
  | { readonly outcome: "declined"; readonly answer: Preview };

/** Where a stream of events begins, and a callback for the registry's outages. */
export interface HearOptions {
  /**
   * The `id` of an event: the stream continues after it. By default it begins after the last event that was heard
   * according to the client's memory, and without a memory at the current versions.
   */
  readonly lastEventId?: string;
  /** Called when the registry does not answer, every minute after that, and when it answers again. */
  readonly onWait?: (waiting: Waiting) => void;
}

/** How long the registry has not answered. */
export interface Waiting {
  readonly waitedMs: number;
  /** Why the registry did not answer; `undefined` when it answers again. */
  readonly reason: string | undefined;
}

/** One message from a registry; a stream that continues after `id` neither repeats nor skips anything. */
export type RegistryEvent =
  /** The versions at which the stream begins; this message comes first, and only once. */
  | { readonly event: "start"; readonly id: string; readonly news: StartNews }
  /** An accepted version, with and without breaking changes. */
  | { readonly event: "breaking" | "version"; readonly id: string; readonly news: VersionNews }
  /** Versions of an agent are missing before this one, so the agent has to be read again. */
  | { readonly event: "reset"; readonly id: string; readonly news: ResetNews };

/** A client for one registry. Each method throws {@link RegistryClientError}. */
export interface RegistryClient {
  /** Yields every agent by id, read page by page. */
  listAgents(): AsyncGenerator<AgentItem, void>;
  readAgent(agentId: string): Promise<Agent>;
  /**
   * Returns the manifest of a version, by default the current one. A manifest that does not match its hash is an
   * `invalid-answer`.
   */
  readManifest(agentId: string, version?: number): Promise<ReadManifest>;
  readVersion(agentId: string, version: number): Promise<VersionAnswer>;
  /** Yields the versions of an agent after version `after`, by default all, oldest first, read page by page. */
  listVersions(agentId: string, after?: number): AsyncGenerator<VersionItem, void>;
  diff(agentId: string, from: number, to: number): Promise<Diff>;
  /**
   * Returns the questions to a user who accepted a version or, without a version, to a user who is about to add the
   * agent.
   */
  consent(agentId: string, accepted?: number): Promise<Consent>;
  /** Yields the records of an agent's versions, oldest first, read page by page. */
  history(agentId: string): AsyncGenerator<HistoryEntry, void>;
  /** Returns the newest signed checkpoint of an agent's history. */
  checkpoint(agentId: string): Promise<string>;
  /**
   * Returns the result that publishing a manifest as the successor of version `onto` would have; `refused` if `onto` is
   * not the present version.
   */
  preview(agentId: string, manifest: CapabilityManifest, onto: VersionName): Promise<Preview>;
  /**
   * Publishes a manifest as the successor of the version that was read, and reads again if another version came first.
   */
  publish(agentId: string, manifest: CapabilityManifest, options?: PublishOptions): Promise<Published>;
  /**
   * Streams every new version of 1 to 50 agents, across lost connections and outages, until the client's signal or the
   * caller ends it. With a memory, an event counts as heard when the caller requests the next one.
   */
  hear(agentIds: readonly string[], options?: HearOptions): AsyncGenerator<RegistryEvent, void>;
}
