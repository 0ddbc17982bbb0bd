import { randomBytes } from "node:crypto";
import type { LockFile } from "@agentprint/mcp-lock";
import type { Policy } from "@agentprint/policy";
import { CallState } from "./calls/call-state.ts";
import { EventSink } from "./event-sink.ts";
import { LockInForce } from "./lock-in-force.ts";
import type { GuardOptions } from "./options.ts";
import { ofProgram } from "./program-fault.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { ClientLists } from "./verify/client-lists.ts";
import { SharedListings } from "./verify/shared-listings.ts";

/** The parts that all of a guard's connections share; a link passes each part to the code that uses it. */
export class GuardCore {
  readonly settings: Settings;
  readonly lock: LockInForce;
  readonly calls: CallState;
  readonly events: EventSink;
  readonly shared: SharedListings;
  readonly lists: ClientLists;

  constructor(options: GuardOptions) {
    const { random = randomBytes } = options;
    this.settings = settingsOf(options);
    const { limits } = this.settings;
    this.lock = new LockInForce(options);
    this.calls = new CallState(options.ask, (bytes) => ofProgram(() => random(bytes)), limits.pending);
    this.events = new EventSink(this.settings, this.lock, options.onEvent, random);
    const shared = new SharedListings(this.settings, this.lock, this.events);
    this.shared = shared;
    this.lists = new ClientLists(limits, (listing) => shared.isReading(listing));
  }

  /**
   * Replaces the lock and the policy. Verdicts are kept if nothing that they depend on changed.
   *
   * @returns whether decisions on the server's messages may now differ
   */
  replaceLock(lock: LockFile, policy: Policy): boolean {
    const { isSame, hasOtherNames } = this.lock.replace(lock, policy);
    if (!this.lock.isLocked) this.shared.clear();
    if (!isSame) this.lists.clear();
    else if (hasOtherNames) this.lists.forgetFound();
    return !isSame;
  }
}
