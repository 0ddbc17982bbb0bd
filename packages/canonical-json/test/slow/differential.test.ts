import { runs } from "@agentprint/testing/property-runs";
import { testCuts, testDifferential } from "../canonicalize/differential.ts";

testDifferential(runs(20_000));
testCuts(runs(300));
