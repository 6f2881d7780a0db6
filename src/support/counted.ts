const groupedIn = (language: string) => {
  let format: Intl.NumberFormat | undefined // on demand, because the first one of a process takes 1 ms and 1.5 MiB
  return (count: number): string => {
    format ??= new Intl.NumberFormat(language)
    return format.format(count)
  }
}

/** Write a number with its digits grouped: `groupedEnglish(1000)` is `1,000`. */
export const groupedEnglish = groupedIn("en")
export const groupedPortuguese = groupedIn("pt-BR")

const countedIn =
  (grouped: (count: number) => string) =>
  (count: number, one: string, other: string): string =>
    `${grouped(count)} ${count === 1 ? one : other}`

/** Write how many there are of something: `inEnglish(1000, "point", "points")` is `1,000 points`. */
export const inEnglish = countedIn(groupedEnglish)
export const inPortuguese = countedIn(groupedPortuguese)
