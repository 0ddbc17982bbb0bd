import type { SessionName } from "@agentprint/mcp";

/** The session with that name, or else one of the same view, or else one of the same era, or else any session. */
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
