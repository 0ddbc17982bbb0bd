import { testCuts, testDifferential } from "../canonicalize/differential.ts";

testDifferential(100_000);
testCuts(2_000);
