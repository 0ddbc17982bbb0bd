import { RegistryClientError } from "./errors.ts";
import type { RegistryEvent } from "./registry-client.ts";

/** The versions that a stream of events has named: the next one of an agent is the one behind the last. */
export class HeardVersions {
  readonly #agentIds: ReadonlySet<string>;
  readonly #last = new Map<string, number>();

  constructor(agentIds: readonly string[]) {
    this.#agentIds = new Set(agentIds);
  }

  /**
   * Checks an event, which may only be the one that follows. A stream that goes on behind an event of the caller begins where he said,
   * which is no word of the registry: `isOwnStart` is false then.
   *
   * @throws {@link RegistryClientError} `invalid-answer` when it is of another agent, or does not follow; `rolled-back` when an agent
   * has fewer versions than the stream has named.
   */
  check(event: RegistryEvent, isOwnStart: boolean): void {
    if (event.event === "start") {
      for (const { agent_id, capability_manifest_version } of event.news.versions) {
        this.#checkAgent(agent_id);
        if (isOwnStart) this.#advance(agent_id, capability_manifest_version);
      }
      return;
    }
    const { agent_id, capability_manifest_version: version } = event.news;
    this.#checkAgent(agent_id);
    const last = this.#last.get(agent_id);
    if (event.event !== "reset" && last !== undefined && version !== last + 1) {
      const message = `expected version ${last + 1} of ${agent_id}, received version ${version}`;
      throw new RegistryClientError("invalid-answer", message);
    }
    this.#advance(agent_id, version);
  }

  #checkAgent(agentId: string): void {
    if (this.#agentIds.has(agentId)) return;
    throw new RegistryClientError("invalid-answer", `the registry sends events of ${agentId}, which was not asked for`);
  }

  #advance(agentId: string, version: number): void {
    const last = this.#last.get(agentId) ?? 0;
    if (version < last) {
      const message = `rolled back: ${agentId} is at version ${version}, and was at ${last}`;
      throw new RegistryClientError("rolled-back", message);
    }
    this.#last.set(agentId, version);
  }
}
