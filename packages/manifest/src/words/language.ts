/** The languages in which this package has texts for people. */
export const LANGUAGES = ["en", "zh"] as const;
Object.freeze(LANGUAGES);

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** The texts of a client by i18n key, in the language of its user. */
export type ClientTexts = Readonly<Record<string, string>>;
