import { agreedArtifacts, agreedAuth, type LockedServer, sealServer } from "@agentprint/mcp-lock";

/** Returns whether an entry has the state that was found; an entry may lack the digests of local files and of packages, and their coverage. */
export function isSameState(pinned: LockedServer, found: LockedServer): boolean {
  if (pinned.digest === found.digest) return true;
  const {
    files,
    coverage,
    artifacts,
    auth: foundAuth,
    toolsDigest: _tools,
    digest: _digest,
    setHashes: _sets,
    ...entry
  } = found;
  const auth = agreedAuth(pinned.auth, foundAuth);
  const known = {
    ...(pinned.artifacts && artifacts && { artifacts: agreedArtifacts(pinned.artifacts, artifacts) }),
    ...(pinned.files && files && { files }),
    ...(pinned.coverage && coverage && { coverage }),
    ...(auth && { auth }),
  };
  return pinned.digest === sealServer({ ...entry, ...known }).digest;
}
