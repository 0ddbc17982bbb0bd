/** A connected client of `@modelcontextprotocol/sdk` 1.x or `@modelcontextprotocol/client` 2.x. */
interface SdkClient {
  request(request: never, resultSchema: never): Promise<unknown>;
}

/** A schema that keeps every member, for both major versions, because `listTools()` drops unknown members. */
const ANY = {
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1, vendor: "any", validate: (value: unknown) => ({ value }) },
};
const MAX_PAGES = 1000;

/** Returns the tools from all pages, as the server sent them; `pinTools` and `compareTools` take this list. */
export async function rawTools(client: SdkClient): Promise<unknown[]> {
  const tools: unknown[] = [];
  let params = {};
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const answer = await client.request({ method: "tools/list", params } as never, ANY as never);
    const { tools: page, nextCursor: cursor } = answer as { tools: unknown[]; nextCursor?: string | null };
    tools.push(...page);
    if (cursor === undefined || cursor === null) return tools;
    params = { cursor };
  }
  throw new Error("The pages of tools/list never end");
}
