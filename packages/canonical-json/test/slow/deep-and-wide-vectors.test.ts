import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { canonicalJsonOperations } from "../../../../fixtures/ports/typescript/src/operations/canonical-json.ts";
import { testPieceVectors } from "../parse-json/piece-vectors.ts";

testVectors("canonical-json", canonicalJsonOperations, { only: (suite) => suite === "canonical-json/deep-and-wide" });
testPieceVectors((suite) => suite === "canonical-json/deep-and-wide");
