import type { VisitSettings } from "@agentprint/policy/settings";

/** Visits that do not wait for late notifications and present only one client, because few tests are about either. */
export const SHORT_VISITS: VisitSettings = { settle: 0, views: "client" };

/** For servers of the era with the handshake: each visit starts one process instead of two, and does not try the other era. */
export const ONE_ERA: VisitSettings = { protocol: "legacy" };
