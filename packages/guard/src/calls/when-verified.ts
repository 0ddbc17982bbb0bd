import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { ListName } from "@agentprint/mcp-lock";
import type { Link, Waiting } from "../connection/link.ts";
import type { Output } from "../connection/output.ts";
import type { RequestMessage } from "../read/message-shape.ts";
import { idKey } from "../read/request-id.ts";
import type { Waiter } from "../verify/shared-listings.ts";

/** Listings in a row that the server may call out of date before they are at their end. */
const MAX_ATTEMPTS = 3;

/** Goes on with a request at once where its list is verified, else after the guard has listed by itself. */
export function whenVerified(
  link: Link,
  list: ListName,
  waiting: Waiting,
  out: Output,
  goOn: (isVerified: boolean, out: Output) => void,
  attempt = 0,
): void {
  const { core, held, authorization } = link;
  const { message, pending } = waiting;
  const listing = core.listings(authorization, pending.era)[list];
  const isFresh = listing.isVerified(core.clock.now(), attempt > 0 ? Number.POSITIVE_INFINITY : core.recheckMs);
  if (isFresh) {
    goOn(true, out);
    return;
  }
  // What changes nothing sends nothing of its own.
  if (core.dryRun || attempt >= MAX_ATTEMPTS) {
    goOn(false, out);
    return;
  }
  if (held.size >= core.limits.held) {
    link.refuse(pending, "too many calls wait", out);
    return;
  }
  const key = idKey(message.id);
  const waiter: Waiter = {
    connection: link,
    meta: metaOf(message),
    resume(isVerified, next) {
      if (!held.delete(key)) return;
      const resume = (): void => {
        if (isVerified) whenVerified(link, list, waiting, next, goOn, attempt + 1);
        else goOn(false, next);
      };
      link.orRefuse(waiting, next, resume, core.failOpen);
    },
  };
  held.set(key, {
    ...message,
    refuse: (reason, next) => {
      held.delete(key);
      link.refuse(pending, reason, next);
    },
    stop: () => core.shared.forget(waiter),
  });
  out.action = "hold";
  core.shared.wait(listing, waiter, out);
}

/** What of the metadata of a request belongs to that request alone. */
const OWN = new Set(["progressToken", "traceparent", "tracestate", "baggage", "io.modelcontextprotocol/related-task"]);

/** The metadata with which the guard asks as the client does. */
function metaOf({ params: { _meta: meta } }: RequestMessage): JsonObject {
  if (!isJsonObject(meta)) return {};
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !OWN.has(name)));
}
