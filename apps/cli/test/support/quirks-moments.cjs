// node --require quirks-moments.cjs quirks.cjs <mode>: the same server with chance and time fixed.
// Each start draws the next of a sequence without a period; what waits 150 or 300 ms happens behind the first list of tools.
const fs = require("node:fs");
const due = [];
const { setTimeout } = globalThis;
globalThis.setTimeout = (act, ms, ...rest) => (ms === 150 || ms === 300 ? due.push(act) : setTimeout(act, ms, ...rest));
Math.random = () => {
  fs.appendFileSync("draws", ".");
  const ones = (fs.statSync("draws").size - 1).toString(2).replaceAll("0", "").length;
  return ones % 2 === 0 ? 0.1 : 0.9;
};
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  const isTaken = write(text, ...rest);
  if (String(text).includes('"tools":[')) for (const act of due.splice(0)) act();
  return isTaken;
};
