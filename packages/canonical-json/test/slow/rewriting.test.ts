import { testRewriting } from "../parse-json/rewriting.ts";

testRewriting(Number(process.env["REWRITING_RUNS"] ?? 10_000));
