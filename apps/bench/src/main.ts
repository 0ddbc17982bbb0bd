import { hashSuite, parseSuite, textSuite } from "./canonical-json.ts";
import { measure } from "./measure.ts";

for (const s of [textSuite, hashSuite, parseSuite]) {
  if (process.argv[2] && !s.name.includes(process.argv[2])) continue;
  console.log(s.title);
  for (const c of await s.comparisons()) {
    const r = measure(s.name, c);
    console.log(
      c.name.padEnd(28),
      r.map((x) => `${x.contender} ${x.ratio.toFixed(2)}${x.correct === false ? "✗" : ""}`).join("  "),
      r.find((x) => x.bar)!.bar,
    );
  }
}
