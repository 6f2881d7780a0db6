/** The plural forms of a counted thing; `#` stands for the number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }
