/** Whether every word of the text begins a word of the name, without regard to case and accents. */
export function fits(name: string, text: string): boolean {
  const words = wordsIn(name)
  return wordsIn(text).every((typed) => words.some((word) => word.startsWith(typed)))
}

const wordsIn = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
