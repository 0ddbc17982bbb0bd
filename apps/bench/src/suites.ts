import { capabilitiesSuite } from "./agent-capabilities.ts";
import { hashSuite, parseSuite, textSuite } from "./canonical-json.ts";
import { eolSuite, whitespaceSuite } from "./content-hash.ts";
import { specSuite } from "./drover.ts";
import { manifestSuite } from "./manifest.ts";
import type { Suite } from "./measure.ts";
import { recordSuite } from "./recorder.ts";
import { entrySuite } from "./recorder-entry.ts";
import { compareSuite } from "./schema-diff.ts";
import { startupSuite, twentyServersSuite } from "./startup.ts";
import { verifySuite } from "./trail.ts";
import { appendSuite } from "./trail-store.ts";

/** Every suite, in the order in which they run. */
export const SUITES: readonly Suite[] = [
  textSuite,
  hashSuite,
  parseSuite,
  whitespaceSuite,
  eolSuite,
  specSuite,
  capabilitiesSuite,
  compareSuite,
  manifestSuite,
  verifySuite,
  appendSuite,
  recordSuite,
  entrySuite,
  startupSuite,
  twentyServersSuite,
];
