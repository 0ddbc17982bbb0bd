import { testJudged } from "./support/judged.ts";

testJudged(100);
