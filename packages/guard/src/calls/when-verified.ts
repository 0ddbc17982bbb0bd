import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { ListName } from "@agentprint/mcp-lock";
import { withoutCapabilities } from "../connection/client-capabilities.ts";
import type { Link, Waiting } from "../connection/link.ts";
import type { Output } from "../connection/output.ts";
import { clientMeta } from "../connection/request-meta.ts";
import type { RequestMessage } from "../read/message-shape.ts";
import { idKey } from "../read/request-id.ts";
import type { Listing } from "../verify/listing.ts";
import type { Waiter } from "../verify/shared-listings.ts";

/** Listings in a row that the server may call out of date before they are at their end. */
const MAX_ATTEMPTS = 3;

/** A list that a request depends on. */
export interface Verified {
  readonly isVerified: boolean;
  /** Absent where nothing is known of it. */
  readonly listing: Listing | undefined;
}

/** Goes on with a request at once where its list is verified, else after the guard has listed by itself. */
export function whenVerified(
  link: Link,
  list: ListName,
  waiting: Waiting,
  out: Output,
  goOn: (verified: Verified, out: Output) => void,
  attempt = 0,
): void {
  const { core, held } = link;
  const { message, pending } = waiting;
  const listing = core.lists.of(link.keyOf(message, pending.presented))?.[list];
  const isFresh = listing?.isVerified(core.clock.now(), attempt > 0 ? Number.POSITIVE_INFINITY : core.recheckMs);
  if (isFresh) {
    goOn({ isVerified: true, listing }, out);
    return;
  }
  // What changes nothing sends nothing of its own.
  if (core.dryRun || attempt >= MAX_ATTEMPTS) {
    goOn({ isVerified: false, listing }, out);
    return;
  }
  if (listing === undefined || held.size >= core.limits.held) {
    const reason = listing ? "too many calls wait" : "calls of too many clients wait";
    link.told("call", message.method, [], "refused", reason, "client", pending);
    link.refuse(pending, reason, out);
    return;
  }
  const key = idKey(message.id);
  const waiter: Waiter = {
    connection: link,
    id: message.id,
    meta: metaFor(link, message),
    resume(isVerified, next) {
      if (!held.delete(key)) return;
      const resume = (): void => {
        if (isVerified) whenVerified(link, list, waiting, next, goOn, attempt + 1);
        else goOn({ isVerified: false, listing }, next);
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

/** The metadata with which the guard asks as the client does: that by which the server can tell it, as the server gets it. */
function metaFor({ core }: Link, message: RequestMessage): JsonObject {
  const { params } = withoutCapabilities(message, core.denied);
  return clientMeta({ params: isJsonObject(params) ? params : {} });
}
