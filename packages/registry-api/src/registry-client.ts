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
   * Receives what publishing would do, and returns whether to publish. Called again if another version came first:
   * exactly the shown version is published. Not called for the first version of an agent.
   */
  readonly review?: (preview: Preview) => boolean | Promise<boolean>;
}

/** The result of publishing. */
export type Published =
  /** `published`: the manifest became the version of the answer. `unchanged`: it was the present version already. */
  | { readonly outcome: "published" | "unchanged"; readonly answer: PublishAnswer }
  /** The review refused the change in the preview. */
  | { readonly outcome: "declined"; readonly answer: Preview };

/** Where a stream of events begins, and a callback for outages of the registry. */
export interface HearOptions {
  /**
   * The `id` of an event: the stream continues after it. By default it begins after what was heard according to the
   * client's memory, and without a memory at the current versions.
   */
  readonly lastEventId?: string;
  /** Called when the registry does not answer, every minute after that, and when it answers again. */
  readonly onWait?: (waiting: Waiting) => void;
}

/** How long a registry has not answered. */
export interface Waiting {
  readonly waitedMs: number;
  /** Why it did not answer; `undefined` when it answers again. */
  readonly reason: string | undefined;
}

/** One message of a registry; a stream that continues after `id` neither repeats nor skips anything. */
export type RegistryEvent =
  /** The versions at which the stream begins; comes first, and once. */
  | { readonly event: "start"; readonly id: string; readonly news: StartNews }
  /** An accepted version, with and without breaking changes. */
  | { readonly event: "breaking" | "version"; readonly id: string; readonly news: VersionNews }
  /** Versions of an agent are missing before this one: it has to be read again. */
  | { readonly event: "reset"; readonly id: string; readonly news: ResetNews };

/** A client of one registry. Each method throws {@link RegistryClientError}. */
export interface RegistryClient {
  /** Yields every agent by id, read page by page. */
  listAgents(): AsyncGenerator<AgentItem, void>;
  readAgent(agentId: string): Promise<Agent>;
  /**
   * Returns the manifest of a version, by default of the current one; one that does not match its hash is an
   * `invalid-answer`.
   */
  readManifest(agentId: string, version?: number): Promise<ReadManifest>;
  readVersion(agentId: string, version: number): Promise<VersionAnswer>;
  /** Yields the versions of an agent after version `after`, by default all, oldest first, read page by page. */
  listVersions(agentId: string, after?: number): AsyncGenerator<VersionItem, void>;
  diff(agentId: string, from: number, to: number): Promise<Diff>;
  /** Returns the questions to a user who accepted a version; without one, to a user who is about to add the agent. */
  consent(agentId: string, accepted?: number): Promise<Consent>;
  /** Yields the records of an agent's versions, oldest first, read page by page. */
  history(agentId: string): AsyncGenerator<HistoryEntry, void>;
  /** Returns the newest signed checkpoint of an agent's history. */
  checkpoint(agentId: string): Promise<string>;
  /** Returns the result that publishing a manifest on the version `onto` would have; `refused` if that is not the present version. */
  preview(agentId: string, manifest: CapabilityManifest, onto: VersionName): Promise<Preview>;
  /** Publishes a manifest on the version that was read, and reads again if another one came first. */
  publish(agentId: string, manifest: CapabilityManifest, options?: PublishOptions): Promise<Published>;
  /**
   * Streams every new version of 1 to 50 agents, across lost connections and outages, until the signal of the client or the caller ends
   * it. With a memory, an event counts as heard when the caller requests the next one.
   */
  hear(agentIds: readonly string[], options?: HearOptions): AsyncGenerator<RegistryEvent, void>;
}
