/** The languages in which this package has texts for people. */
export const LANGUAGES = ["en", "zh"] as const;
Object.freeze(LANGUAGES);

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** A client's texts by i18n key, in the user's language. */
export type ClientTexts = Readonly<Record<string, string>>;
