import type { ResetNews } from "./answers/answers.ts";
import { RegistryClientError } from "./errors.ts";
import type { RegistryEvent } from "./registry-client.ts";

/** The versions that a stream of events has named: an agent's next version must follow its last one. */
export class HeardVersions {
  readonly #agentIds: ReadonlySet<string>;
  readonly #last = new Map<string, number>();

  constructor(agentIds: readonly string[]) {
    this.#agentIds = new Set(agentIds);
  }

  /**
   * Checks an event, which must be the next one. `isOwnStart` is false if the caller chose the event after which the
   * stream continues, because the stream then does not begin at versions that the registry stated.
   *
   * @throws {@link RegistryClientError} `invalid-answer` when the event is about another agent, or does not follow the
   * previous one; `rolled-back` when an agent has fewer versions than the stream has named.
   */
  check(event: RegistryEvent, isOwnStart: boolean): void {
    for (const { agent_id: agentId, capability_manifest_version: version } of namedIn(event)) {
      if (!this.#agentIds.has(agentId)) {
        const message = `the registry sends events of ${agentId}, which was not requested`;
        throw new RegistryClientError("invalid-answer", message);
      }
      const last = this.#last.get(agentId);
      if (last === undefined || (event.event === "start" && !isOwnStart)) continue;
      if (event.event !== "reset" && event.event !== "start" && version !== last + 1) {
        const message = `expected version ${last + 1} of ${agentId}, received version ${version}`;
        throw new RegistryClientError("invalid-answer", message);
      }
      if (version < last) {
        const message = `rolled back: ${agentId} is at version ${version}, but was at ${last}`;
        throw new RegistryClientError("rolled-back", message);
      }
    }
  }

  /** Records that an event was heard. */
  advance(event: RegistryEvent, isOwnStart: boolean): void {
    if (event.event === "start" && !isOwnStart) return;
    for (const { agent_id, capability_manifest_version } of namedIn(event)) {
      this.#last.set(agent_id, capability_manifest_version);
    }
  }
}

/** Returns the versions that an event names. */
export function namedIn({ event, news }: RegistryEvent): readonly ResetNews[] {
  return event === "start" ? news.versions : [news];
}
