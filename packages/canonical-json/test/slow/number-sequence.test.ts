import { testNumberSequence } from "../test-number-sequence.ts";

testNumberSequence(1_000_000);
