import { idKey, type RequestMessage } from "@agentprint/mcp";
import type { Reading } from "../read/read-message.ts";
import { withoutCapabilities } from "./client-capabilities.ts";
import type { Link } from "./link.ts";
import type { Output } from "./output.ts";
import type { Pending } from "./pending.ts";

/**
 * Sends a request to the server, without the capabilities that the policy keeps from it.
 *
 * @param isChanged Whether the message is no longer the one that was read.
 */
export function send(
  link: Link,
  message: RequestMessage,
  reading: Reading,
  out: Output,
  pending: Pending,
  isChanged = false,
): void {
  link.toServer.set(idKey(pending.id), pending);
  const value = withoutCapabilities(message, link.lock.denied);
  if (!isChanged && value === message.value) link.pass("client", message, reading, out);
  else link.replace("client", value, out);
}
