import type { CapabilityManifest } from "../capability-manifest.ts";
import type { ManifestWarningCode, RawIssue } from "../issue.ts";
import { show } from "../json.ts";
import { MANIFEST_WARN_BYTES } from "../limits.ts";
import { warnInputSchemas } from "../schema/warn-input-schemas.ts";
import { isBelowStandard, STANDARD_SCOPES } from "../sensitivity.ts";
import { standardLookAlike } from "./look-alike.ts";

type Warning = RawIssue<ManifestWarningCode>;

/** Returns the warnings about an accepted manifest. */
export function warnManifest(manifest: CapabilityManifest, bytes: number): Warning[] {
  return [...warnSize(bytes), ...warnScopes(manifest), ...warnFlags(manifest), ...warnInputSchemas(manifest)];
}

function warnSize(bytes: number): Warning[] {
  if (bytes < MANIFEST_WARN_BYTES) return [];
  const message = `The manifest takes ${bytes} canonical bytes: use fewer tools, and combine similar ones with oneOf`;
  return [{ code: "MANIFEST_LARGE", path: [], message }];
}

function warnFlags({ capability_flags }: CapabilityManifest): Warning[] {
  if (capability_flags.supports_voice !== true) return [];
  const message =
    "No client of version 1 of the specification supports voice yet: users see a capability that does not work";
  return [{ code: "UNAVAILABLE_CAPABILITY", path: ["capability_flags", "supports_voice"], message }];
}

function warnScopes({ permission_scopes }: CapabilityManifest): Warning[] {
  return permission_scopes.flatMap(({ id, sensitivity }, index): Warning[] => {
    const path = ["permission_scopes", index, "id"];
    if (!/^[\x21-\x7e]+$/.test(id)) {
      const message = `The id ${show(id)} has characters beyond visible ASCII: it can look like another scope`;
      return [{ code: "CONFUSABLE_SCOPE_ID", path, message }];
    }
    const standard = standardLookAlike(id);
    if (standard !== undefined) {
      const message = `The id ${show(id)} looks like the standard scope ${standard}, but is a different one`;
      return [{ code: "CONFUSABLE_SCOPE_ID", path, message }];
    }
    if (isBelowStandard(id, sensitivity)) {
      const message = `Clients expect ${STANDARD_SCOPES[id]} for the standard scope ${id}, the manifest declares ${sensitivity}`;
      return [{ code: "STANDARD_SCOPE_WEAKENED", path: ["permission_scopes", index, "sensitivity"], message }];
    }
    if (!/^[^:]+:[^:]+$/.test(id)) {
      return [
        {
          code: "UNUSUAL_SCOPE_ID",
          path,
          message: `The specification suggests <domain>:<action>, received ${show(id)}`,
        },
      ];
    }
    return [];
  });
}
