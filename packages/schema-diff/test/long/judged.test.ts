import { testJudged, testJudgedServers } from "../support/judged.ts";

testJudged(Number(process.env["SCHEMA_DIFF_RUNS"] ?? 20_000));
testJudgedServers();
