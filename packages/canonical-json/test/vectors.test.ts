import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { canonicalJsonOperations } from "../../../fixtures/ports/typescript/src/operations/canonical-json.ts";

// The test suite for values with a million levels is among the slow tests.
testVectors("canonical-json", canonicalJsonOperations, { only: (suite) => suite !== "canonical-json/deep-and-wide" });
