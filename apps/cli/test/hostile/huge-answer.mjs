import { serve } from "./protocol.mjs";

// Sends one answer of 100 MB without a line break.
serve(({ id }) => {
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"`);
  const chunk = "a".repeat(1024 * 1024);
  let left = 100;
  function next() {
    while (left-- > 0) {
      if (!process.stdout.write(chunk)) {
        process.stdout.once("drain", next);
        return;
      }
    }
    process.stdout.write('","inputSchema":{}}]}}\n');
  }
  next();
});
