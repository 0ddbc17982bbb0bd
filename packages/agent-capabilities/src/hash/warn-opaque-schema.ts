/** The platform's objects that can show a warning: `process` of Node, Deno and Bun, otherwise the console. */
interface Platform {
  readonly process?: { readonly emitWarning?: (message: string, options: object) => void };
  readonly console?: { readonly warn?: (message: string) => void };
}

let warned = false;

/**
 * Warns once per process that a digest does not cover a schema, and explains how to cover or refuse such schemas.
 *
 * @param hashed - Whether only the vendor is hashed, or the part that JSON Schema can express.
 */
export function warnOpaqueSchema(hashed: "vendor" | "part", vendor: string, toolName: string | undefined): void {
  if (warned) return;
  warned = true;
  const subject = toolName === undefined ? "a schema" : `the schema of tool ${JSON.stringify(toolName)}`;
  const reason =
    hashed === "vendor"
      ? `is hashed only as its vendor and version (${JSON.stringify(vendor)}), as is every other schema of that vendor: a change to it cannot be detected`
      : `has a part that ${JSON.stringify(vendor)} cannot write as JSON Schema: a change to that part cannot be detected`;
  const message = `${subject} ${reason}. Set requireTransparentSchemas to refuse such schemas, or see "Schemas" in the README of @agentprint/agent-capabilities. opaqueSchemas names all affected tools; this warning appears once.`;
  const { process, console } = globalThis as Platform;
  if (typeof process?.emitWarning === "function") {
    process.emitWarning(message, { type: "CapabilityWarning", code: "AGENTPRINT_OPAQUE_SCHEMA" });
  } else {
    console?.warn?.(message);
  }
}
