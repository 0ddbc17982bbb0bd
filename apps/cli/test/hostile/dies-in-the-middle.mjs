import { serve } from "./protocol.mjs";

serve(({ id }) => {
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[`, () => process.exit(7));
});
