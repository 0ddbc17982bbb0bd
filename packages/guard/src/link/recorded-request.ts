import { isJsonObject, ownMember } from "@agentprint/canonical-json/json-value";
import { eraOfRequest, META, type RequestMessage } from "@agentprint/mcp";
import type { EventRequest } from "../events.ts";
import type { Link } from "./link.ts";
import type { Pending } from "./pending.ts";

/** A request described for events. Its members are read on access only. */
class RecordedRequest implements EventRequest {
  readonly id: EventRequest["id"];
  readonly since: number;
  readonly #params: RequestMessage["params"];
  readonly #link: Link;

  constructor(link: Link, { id, params }: RequestMessage) {
    this.id = id;
    this.since = link.settings.clock.now();
    this.#params = params;
    this.#link = link;
  }

  get target(): string | undefined {
    return textOf(this.#params["name"]) ?? textOf(this.#params["uri"]);
  }

  get protocolVersion(): string | undefined {
    return this.meta(META.protocolVersion) ?? this.#link.protocolVersion;
  }

  get session(): string | undefined {
    return this.#link.session?.();
  }

  meta(name: string): string | undefined {
    const { _meta: meta } = this.#params;
    return isJsonObject(meta) ? textOf(ownMember(meta, name)) : undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the pending entry of a client request. */
export function pendingOf(link: Link, message: RequestMessage): Pending {
  const { events } = link;
  const { id, method } = message;
  const { _meta: meta } = message.params;
  const asked = { id, method, era: eraOfRequest(message), presented: link.presented };
  const pending = isJsonObject(meta) ? { ...asked, meta } : asked;
  if (!events.isRecorded) return { ...pending, correlation: "" };
  return { ...pending, correlation: events.nextId(), request: new RecordedRequest(link, message) };
}
