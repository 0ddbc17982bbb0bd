import { runs } from "../../../../fixtures/tools/property-runs.ts";
import { testCuts, testDifferential } from "../canonicalize/differential.ts";

testDifferential(runs(20_000));
testCuts(runs(300));
