/** The file of a built package with the licences of the packages that became part of it. */
export const LICENSES = "THIRD_PARTY_LICENSES";
/** The file of a built package that lists these packages with their versions: a bill of materials (CycloneDX). */
export const BILL = "sbom.cdx.json";
