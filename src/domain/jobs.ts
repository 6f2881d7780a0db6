/** What was given up stays as long, so that whoever looks once a month sees it. */
export const discardedKeptDays = 30

/** Mail servers repeat the address that they refuse. */
export const withoutAddresses = (text: string): string =>
  text.slice(0, 500).replaceAll(/[^\s<>()"':;,]+@[^\s<>()"':;,]+/g, "…@…")
