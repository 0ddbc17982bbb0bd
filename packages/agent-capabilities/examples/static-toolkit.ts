/** A toolkit that never changes: fingerprint it, store the fingerprint, and see which edits count. */
import { tool, toolkit } from "@agentprint/agent-capabilities";
import { z } from "zod";

const add = tool({
  name: "add",
  description: "Adds two numbers",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  instructions: ["Use it for sums, never for dates."],
  handler: (_ctx, { a, b }) => a + b,
});
const negate = tool({ name: "negate", inputSchema: z.object({ n: z.number() }), handler: (_ctx, { n }) => -n });

const calculator = toolkit([add, negate], { name: "calculator", instructions: ["Show the calculation."] });
const reordered = toolkit([negate, add], { name: "calculator", instructions: ["Show the calculation."] });
const reworded = toolkit([add, negate], { name: "calculator", instructions: ["Hide the calculation."] });

console.log("members in another order:", calculator.staticHash === reordered.staticHash ? "same" : "changed");
console.log("other instructions:", calculator.staticHash === reworded.staticHash ? "same" : "changed");

/* Output:
members in another order: same
other instructions: changed
*/
