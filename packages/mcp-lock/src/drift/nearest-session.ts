import type { SessionName } from "@agentprint/mcp";

/**
 * Returns the session with the given name, or else a session with the same view, one with the same era, or any session.
 */
export function nearestSession(
  session: SessionName,
  sessions: readonly { readonly session: SessionName }[],
): SessionName | undefined {
  const [era, view] = session.split("/");
  const names = sessions.map((each) => each.session);
  return (
    names.find((name) => name === session) ??
    names.find((name) => name.endsWith(`/${view}`)) ??
    names.find((name) => name.startsWith(`${era}/`)) ??
    names[0]
  );
}
