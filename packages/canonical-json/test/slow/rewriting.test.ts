import { testRewriting } from "../parse-json/rewriting.ts";

testRewriting(Number(process.env["REWRITING_RUNS"] ?? 3_000));
