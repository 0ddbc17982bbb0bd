import { setTimeout as sleep } from "node:timers/promises";
import {
  deviceAuthorizationRequest,
  deviceCodeGrantRequest,
  processDeviceAuthorizationResponse,
  processDeviceCodeResponse,
  ResponseBodyError,
} from "oauth4webapi";
import { authenticationOf } from "../client.ts";
import { AuthError } from "../errors.ts";
import { inLibrary, requestOptions } from "../library.ts";
import { DEVICE_INTERVAL, LOGIN_TIMEOUT } from "../limits.ts";
import type { MachineGrant } from "./machine.ts";
import { requestTokens, type Tokens } from "./tokens.ts";

/** A login on another device. */
export interface DeviceGrant extends MachineGrant {
  /** Shows a person the address to open, and the code to compare or enter there. */
  readonly show: (address: string, code: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the tokens of a person who logs in on any device (RFC 8628). @throws {@link AuthError} */
export async function grantByDevice(grant: DeviceGrant): Promise<Tokens> {
  const { http, server, client, scopes, show, signal } = grant;
  const { metadata, resource } = server;
  const asClient = { client_id: client.client.id };
  const authentication = await authenticationOf(client);
  const device = await inLibrary("the login on another device", async () => {
    const parameters = { resource, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
    const response = await deviceAuthorizationRequest(
      metadata,
      asClient,
      authentication,
      parameters,
      requestOptions(http),
    );
    return processDeviceAuthorizationResponse(metadata, asClient, response);
  });
  show(http.address(device.verification_uri, "verification_uri").href, device.user_code);
  const until = Date.now() + Math.min(device.expires_in * 1000, LOGIN_TIMEOUT);
  let interval = device.interval ?? DEVICE_INTERVAL;
  while (Date.now() < until) {
    await sleep(interval * 1000, undefined, { signal });
    const tokens = await inLibrary("the login on another device", async () => {
      try {
        return await requestTokens(grant, async (given) => {
          const options = { ...given, additionalParameters: { resource } };
          const { device_code: code } = device;
          const response = await deviceCodeGrantRequest(metadata, asClient, authentication, code, options);
          return processDeviceCodeResponse(metadata, asClient, response);
        });
      } catch (error) {
        const waiting = error instanceof ResponseBodyError ? error.error : undefined;
        if (waiting === "slow_down") interval += DEVICE_INTERVAL;
        else if (waiting !== "authorization_pending") throw error;
        return undefined;
      }
    });
    if (tokens !== undefined) return tokens;
  }
  throw new AuthError("auth-limit", "no one logged in before the code expired", { fix: "run the command again" });
}
