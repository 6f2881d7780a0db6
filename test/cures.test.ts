import { expect, test } from "bun:test"
import { join } from "node:path"
import { entries } from "../src/config/settings.ts"

const root = join(import.meta.dir, "..")

/** Words with which a cure sends somebody looking. The app's own texts and the descriptions of the interface tell no operator. */
const sends = /(?<!the |not |\{)\b(check|ask|if it stays|if this happens again)\b/
const leftOut = /^src\/(ui|languages|http|cli\/demo)\//

/** Each sentence in a string of the source, with its file. */
async function cures(): Promise<string[]> {
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

test("test/cures.txt lists every sentence that sends an operator looking, so that somebody reads it", async () => {
  expect(await cures()).toEqual((await Bun.file(join(root, "test/cures.txt")).text()).trimEnd().split("\n"))
})

/** Says where to look: a setting, an option or a command. */
const setting = new RegExp(entries.map(({ path }) => path.replace(".", "\\.")).join("|"))
const names = (text: string) => setting.test(text) || /\$\{setting\}|`rewards |--\w/.test(text)

/** Behind the name of a setting, a file or a host, and about this machine alone. */
const generic = /^src\/support\/system-errors\.ts:|\bclock\b|\bDNS settings\b|^src\/cli\/(database|healthcheck)\.ts:/

test("each of them names the setting, the option or the command", async () => {
  expect((await cures()).filter((text) => !names(text) && !generic.test(text))).toEqual([])
})
