import { canonicalJsonOperations } from "../../../../fixtures/src/operations/canonical-json.ts";
import { testVectors } from "../../../../fixtures/test/test-vectors.ts";

testVectors("canonical-json", canonicalJsonOperations, { only: (suite) => suite === "canonical-json/deep-and-wide" });
