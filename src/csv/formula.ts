/**
 * Whether a spreadsheet would take a text for a formula, if need be behind the apostrophes that already keep it from
 * that. The wide forms count, and the white space behind which some programs look for one.
 */
export const isFormula = (text: string): boolean => /^'*[=+\-@\t\r\n＝＋－＠]/.test(text)
