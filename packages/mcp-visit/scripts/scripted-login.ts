// The authorization of the client under test: a person who agrees to everything immediately, or the scenario's
// credentials.
import { randomUUID } from "node:crypto";
import {
  type Challenge,
  type ClientChoice,
  createAuthHttp,
  endpointsOf,
  exchangeIdToken,
  findAuthorization,
  grantByAssertion,
  grantByCredentials,
  type Login,
  LoginStore,
  loginPerson,
  readIssuer,
  StoredAuthorization,
  secretsWith,
  type Tokens,
  type UsableClient,
} from "@agentprint/mcp-auth";

/** The credentials that a scenario gives to its client. */
export type Given = Readonly<
  Partial<
    Record<
      | "client_id"
      | "client_secret"
      | "issuer"
      | "private_key_pem"
      | "valid_jwt"
      | "idp_client_id"
      | "idp_id_token"
      | "idp_issuer",
      string
    >
  >
>;

/** The address of the suite's document for a client. */
const METADATA_DOCUMENT = "https://conformance-test.local/client-metadata.json";

const http = createAuthHttp("loopback");

export function authorizationFor(server: string, scenario: string, given: Given): StoredAuthorization {
  const store = memoryStore();
  const none = (): never => {
    throw new Error("a scenario names no credentials by their place");
  };
  const logIn = async (challenge: Challenge, moreScopes: readonly string[]): Promise<boolean> => {
    const found = await findAuthorization(http, new URL(server), challenge);
    const machine = await byMachine(found, scenario, given);
    const choice: ClientChoice = {
      id: given.client_id,
      issuer: given.issuer,
      secret: given.client_secret === undefined ? undefined : { secret: given.client_secret },
      metadataDocument: METADATA_DOCUMENT,
    };
    const { tokens, client } =
      machine ?? (await loginPerson({ http, server: found, choice, moreScopes, browse: agreeAtOnce }));
    const { issuer, resource } = found;
    const login: Login = {
      id: randomUUID(),
      server,
      issuer,
      resource,
      scopes: tokens.scopes,
      endpoints: endpointsOf(found.metadata),
      client: client.client,
      renewal: { type: "refresh" },
    };
    await store.save(login, secretsWith(tokens, undefined));
    return true;
  };
  return new StoredAuthorization({
    store,
    http,
    server,
    credentials: { variable: none, file: none, command: none },
    logIn,
  });
}

async function agreeAtOnce(address: string): Promise<void> {
  const { headers } = await fetch(address, { redirect: "manual" });
  const back = headers.get("location");
  if (back !== null) await (await fetch(back)).text();
}

type Found = Awaited<ReturnType<typeof findAuthorization>>;

async function byMachine(
  server: Found,
  scenario: string,
  given: Given,
): Promise<{ tokens: Tokens; client: UsableClient } | undefined> {
  const { client_id: id = "", client_secret: secret, private_key_pem: key } = given;
  const { scopes } = server;
  const clientOf = (method: UsableClient["client"]["method"], own: UsableClient["secret"]): UsableClient => ({
    client: { kind: "pre-registered", id, method },
    secret: own,
  });
  const byKey = key === undefined ? undefined : clientOf("private_key_jwt", { key });
  const bySecret = clientOf("client_secret_basic", secret === undefined ? undefined : { secret });
  if (scenario.startsWith("auth/client-credentials")) {
    const client = byKey ?? bySecret;
    return { tokens: await grantByCredentials({ http, server, client, scopes }), client };
  }
  const { valid_jwt: workload, idp_issuer: idp, idp_client_id: clientId = "", idp_id_token: idToken = "" } = given;
  if (workload !== undefined) {
    const client = clientOf("none", undefined);
    return { tokens: await grantByAssertion({ http, server, client, scopes }, workload), client };
  }
  if (idp === undefined) return undefined;
  const assertion = await exchangeIdToken(http, { metadata: await readIssuer(http, idp), clientId, idToken }, server);
  return { tokens: await grantByAssertion({ http, server, client: bySecret, scopes }, assertion), client: bySecret };
}

function memoryStore(): LoginStore {
  let text: string | undefined;
  return new LoginStore(
    {
      path: "memory",
      read: async () => text,
      replace: async (next) => {
        text = next;
      },
      exclusive: (run) => run(),
    },
    undefined,
  );
}
