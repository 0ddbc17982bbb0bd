import type { CapabilityManifest } from "@agentprint/manifest";
import { withScopes } from "@agentprint/testing/manifest/scoped-manifests";

/** Texts that try to break out of their place on a page or to look like something else. */
export const HOSTILE = {
  html: `</bdi></li><script>document.title="owned"</script><img src=x onerror=alert(1)>`,
  bidi: "agent.scopes.\u202eelif_eteled\u202c.label\u200b\u0007",
} as const;

/**
 * Versions of a manifest that show everything a page can contain: standard and other scopes, verdicts, warnings, weaker
 * consent.
 */
export const STORY: readonly CapabilityManifest[] = [
  withScopes(
    {
      "notification:send": "low",
      "filesystem:read": "medium",
      "clipboard:read": "medium",
      "location:read": "high",
      "shell:run": "high",
    },
    { limit: { type: "integer", maximum: 100 } },
  ),
  withScopes(
    { "notification:send": "low", "filesystem:read": "medium", "location:read": "low", "shell:run": "medium" },
    { limit: { type: "integer", maximum: 50 } },
  ),
  {
    ...withScopes({ "notification:send": "low", "filesystem:read": "high", "location:read": "low" }),
    permission_scopes: [
      { id: "notification:send", label_i18n_key: "x", sensitivity: "low" },
      { id: "filesystem:read", label_i18n_key: "x", sensitivity: "high" },
      { id: "location:read", label_i18n_key: "x", sensitivity: "low" },
      { id: HOSTILE.html, label_i18n_key: HOSTILE.bidi, sensitivity: "medium" },
      { id: "a:b", label_i18n_key: HOSTILE.html, sensitivity: "medium" },
    ],
    capability_flags: { supports_voice: true },
  },
];
