/** The file in a built package that holds the licences of the packages bundled into it. */
export const LICENSES = "THIRD_PARTY_LICENSES";
/** The file in a built package that lists the bundled packages with their versions: a bill of materials (CycloneDX). */
export const BILL = "sbom.cdx.json";
