import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { toolPinsOperations } from "../../../fixtures/ports/typescript/src/operations/tool-pins.ts";

testVectors("tool-pins", toolPinsOperations);
