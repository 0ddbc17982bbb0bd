import { testPieceVectors } from "../parse-json/piece-vectors.ts";

testPieceVectors((suite) => suite === "canonical-json/deep-and-wide");
