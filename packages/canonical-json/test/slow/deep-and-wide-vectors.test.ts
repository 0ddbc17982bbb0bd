import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { canonicalJsonOperations } from "../../../../fixtures/ports/typescript/src/operations/canonical-json.ts";

testVectors("canonical-json", canonicalJsonOperations, { only: (suite) => suite === "canonical-json/deep-and-wide" });
