import { randomUUID } from "node:crypto";
import { browse } from "@agentprint/testing/oauth/oidc-world";
import {
  type AuthHttp,
  createAuthHttp,
  endpointsOf,
  findAuthorization,
  type Login,
  type LoginStore,
  loginPerson,
  secretsWith,
} from "../../src/index.ts";

export const http: AuthHttp = createAuthHttp("loopback");

/** Logs a person in and saves the login. */
export async function logIn(store: LoginStore, server: string): Promise<Login> {
  const found = await findAuthorization(http, new URL(server));
  const { tokens, client } = await loginPerson({ http, server: found, choice: {}, browse });
  const { issuer, resource } = found;
  const { scopes, expiresAt } = tokens;
  const renewal = { type: "refresh" } as const;
  const endpoints = endpointsOf(found.metadata);
  const id = randomUUID();
  const login: Login = { id, server, issuer, resource, scopes, endpoints, client: client.client, renewal, expiresAt };
  await store.exclusive(() => store.save(login, secretsWith(tokens, undefined)));
  return login;
}
