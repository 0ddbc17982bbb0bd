import type { CapabilityManifest } from "@agentprint/manifest";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { issueKey } from "../../src/keys/keys.ts";
import { ManifestCache } from "../../src/store/manifest-cache.ts";
import { migrate } from "../../src/store/migrations.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createAgent, publishVersion } from "../../src/store/publish.ts";

/** The number of changes that are stored at the same time and therefore committed together. */
const AT_ONCE = 64;

/** Returns a version's manifest, which has ten scopes, and an eleventh in every third version. */
export function manifestOf(version: number): CapabilityManifest {
  const scopes = Array.from({ length: 10 }, (_, index): [string, "medium"] => [`scope:${index}`, "medium"]);
  if (version % 3 === 0) scopes.push(["scope:rare", "medium"]);
  return { ...withScopes(Object.fromEntries(scopes)), agent_version: `1.0.${version % 50}` };
}

/** Creates a database that contains an agent with this many versions; returns a key that may change every agent. */
export async function seed(database: string, agentId: string, versions: number): Promise<string> {
  const store = await openStore(database);
  try {
    await migrate(store.db);
    const { token, id: keyId } = await issueKey(store, "*", new Date());
    const publishing = { store, manifests: new ManifestCache(), now: () => new Date() };
    const submission = (version: number) => ({ agentId, keyId, manifest: manifestOf(version), warnings: [] });
    await createAgent(publishing, { ...submission(1), manifest: EMPTY });
    for (let done = 1; done < versions; done += AT_ONCE) {
      const count = Math.min(AT_ONCE, versions - done);
      const stored = Array.from({ length: count }, (_, index) => publishVersion(publishing, submission(done + index)));
      await Promise.all(stored);
    }
    return token;
  } finally {
    await store.close();
  }
}
