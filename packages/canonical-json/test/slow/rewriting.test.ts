import { testRewriting } from "../parse-json/rewriting.ts";

testRewriting(100_000);
