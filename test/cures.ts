import { join } from "node:path"

const root = join(import.meta.dir, "..")

/** Words with which a cure sends somebody looking. The app's own texts and the descriptions of the interface tell no operator. */
const sends = /(?<!the |not |\{)\b(check|ask|if it stays|if this happens again)\b/
const leftOut = /^src\/(ui|languages|http|cli\/demo)\//

/** Each sentence in a string of the source, with its file. */
export async function cures(): Promise<string[]> {
  const found: string[] = []
  for (const path of [...new Bun.Glob("src/**/*.ts").scanSync(root)].sort()) {
    if (leftOut.test(path)) continue
    for (const line of (await Bun.file(join(root, path)).text()).split("\n")) {
      if (/^\s*(\/\/|\/?\*|import )/.test(line) || /\b(example|description|meaning):/.test(line)) continue
      for (const [, , text = ""] of line.matchAll(/(["`])((?:(?!\1)[^\\]|\\.)*)\1/g))
        if (sends.test(text) && / .* /.test(text)) found.push(`${path}: ${text}`)
    }
  }
  return [...new Set(found)]
}

export const page = join(root, "test/cures.txt")

// Run `bun test/cures.ts` after a change of these sentences, and read aloud what it has changed.
if (import.meta.main) await Bun.write(page, `${(await cures()).join("\n")}\n`)
