import type { Suite } from "./measure.ts";

/**
 * All suites by name, in the order in which they run. Loading the libraries of all suites takes a second, so each
 * comparison loads only its own.
 */
export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  "canonical-json/text": async () => (await import("./canonical-json.ts")).textSuite,
  "canonical-json/hash": async () => (await import("./canonical-json.ts")).hashSuite,
  "canonical-json/text-hash": async () => (await import("./canonical-json.ts")).textHashSuite,
  "canonical-json/parse": async () => (await import("./canonical-json.ts")).parseSuite,
  "content-hash/whitespace": async () => (await import("./content-hash.ts")).whitespaceSuite,
  "content-hash/eol": async () => (await import("./content-hash.ts")).eolSuite,
  "drover/spec": async () => (await import("./drover.ts")).specSuite,
  "agent-capabilities": async () => (await import("./agent-capabilities.ts")).capabilitiesSuite,
  "schema-diff/compare": async () => (await import("./schema-diff.ts")).compareSuite,
  "manifest/publish": async () => (await import("./manifest.ts")).manifestSuite,
  "trail/verify": async () => (await import("./trail.ts")).verifySuite,
  "trail-store/append": async () => (await import("./trail-store.ts")).appendSuite,
  "recorder/record": async () => (await import("./recorder.ts")).recordSuite,
  "recorder/entry": async () => (await import("./recorder-entry.ts")).entrySuite,
  "tool-pins/compare": async () => (await import("./tool-pins.ts")).comparePinsSuite,
  "tool-pins/import": async () => (await import("./tool-pins-import.ts")).importPinsSuite,
  "cli/startup": async () => (await import("./startup.ts")).startupSuite,
  "cli/servers": async () => (await import("./startup.ts")).twentyServersSuite,
};
