type Value = string | number | null

/** The columns that a change sets, with their values: all that are not undefined. */
export const changedColumns = (given: Readonly<Record<string, Value | undefined>>): [column: string, value: Value][] =>
  Object.entries(given).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]]))
