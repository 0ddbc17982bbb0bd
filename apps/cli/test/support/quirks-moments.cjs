// node --require quirks-moments.cjs quirks.cjs <mode>: the same server with time fixed: what waits 150 or 300 ms happens after the first list of tools.
const due = [];
const { setTimeout } = globalThis;
globalThis.setTimeout = (act, ms, ...rest) => (ms === 150 || ms === 300 ? due.push(act) : setTimeout(act, ms, ...rest));
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  const isTaken = write(text, ...rest);
  if (String(text).includes('"tools":[')) for (const act of due.splice(0)) act();
  return isTaken;
};
