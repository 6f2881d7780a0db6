/** The samples of a Prometheus text by metric and labels, as in `rewards_jobs{state="running"}`. */
export function samplesOf(text: string): Readonly<Record<string, number>> {
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return Object.fromEntries(
    samples.map((line) => {
      const space = line.lastIndexOf(" ")
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

/** The names that the text declares: metrics, and the samples of each histogram. */
export function namesOf(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
}
