/**
 * The text of docs/performance.md with what stands between `<!-- bench NAME -->` and `<!-- end -->` exchanged.
 * @throws when it has no such place
 */
export function written(text: string, name: string, measured: string): string {
  const start = `<!-- bench ${name} -->`
  const begins = text.indexOf(start)
  const ends = text.indexOf("<!-- end -->", begins)
  if (begins < 0 || ends < 0) throw new Error(`docs/performance.md has no place for ${name}`)
  return `${text.slice(0, begins + start.length)}\n${measured}\n${text.slice(ends)}`
}
