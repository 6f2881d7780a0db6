/**
 * The places in a text where a spreadsheet would begin a formula, if it began a cell there: at the beginning, and behind
 * everything that separates cells in some country, since quotes protect a text only in a file of the separator that it
 * was written for. Apostrophes may stand between, from earlier marks. The wide forms count, and at the beginning the white
 * space behind which some programs look for a formula.
 */
const beforeFormula = /(?:^(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[,;\t\r\n"])(?='*[=+\-@＝＋－＠]))/g
const markBeforeFormula = new RegExp(beforeFormula.source.replaceAll("(?='*", "'(?='*"), "g")

/** The text with an apostrophe in each of these places: spreadsheets take what follows for text. */
export const marked = (text: string): string => text.replace(beforeFormula, "'")

/** The way back. */
export const unmarked = (text: string): string => text.replace(markBeforeFormula, "")
