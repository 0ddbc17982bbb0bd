/** What of the platform can show a warning: `process` of Node, Deno and Bun, else the console. */
interface Platform {
  readonly process?: { readonly emitWarning?: (message: string, options: object) => void };
  readonly console?: { readonly warn?: (message: string) => void };
}

let warned = false;

/** Says once that a digest rests on a schema that is not in it, and how to have it there or refuse it. */
export function warnOpaqueSchema(vendor: string, toolName: string | undefined): void {
  if (warned) return;
  warned = true;
  const subject = toolName === undefined ? "a schema" : `the schema of tool ${JSON.stringify(toolName)}`;
  const message = `${subject} is hashed as its vendor and version (${JSON.stringify(vendor)}) alone, as every other schema of that vendor: a change of it cannot be seen. Set requireTransparentSchemas to refuse such schemas, or see "Schemas" in the README of @agentprint/agent-capabilities. opaqueSchemas names all tools that are affected; this warning comes once.`;
  const { process, console } = globalThis as Platform;
  if (typeof process?.emitWarning === "function") {
    process.emitWarning(message, { type: "CapabilityWarning", code: "AGENTPRINT_OPAQUE_SCHEMA" });
  } else {
    console?.warn?.(message);
  }
}
