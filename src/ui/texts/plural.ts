/** Forms of a counted thing by the language's plural rules; `#` stands for the number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }
