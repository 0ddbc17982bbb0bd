import { canonicalJsonOperations } from "../../../fixtures/ports/typescript/src/operations/canonical-json.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

// The suite of values with a million levels is among the slow tests.
testVectors("canonical-json", canonicalJsonOperations, { only: (suite) => suite !== "canonical-json/deep-and-wide" });
