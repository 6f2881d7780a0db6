const countedIn = (language: string) => {
  let format: Intl.NumberFormat | undefined // on demand, because the first one of a process takes 1 ms and 1.5 MiB
  return (count: number, one: string, other: string): string => {
    format ??= new Intl.NumberFormat(language)
    return `${format.format(count)} ${count === 1 ? one : other}`
  }
}

/** Write how many there are of something: `inEnglish(1000, "point", "points")` is `1,000 points`. */
export const inEnglish = countedIn("en")
export const inPortuguese = countedIn("pt-BR")
