import { expect, test } from "bun:test"
import { entries } from "../src/config/settings.ts"
import { cures, page } from "./cures.ts"

test("test/cures.txt lists every sentence that sends an operator looking, so that somebody reads it", async () => {
  expect(await cures()).toEqual((await Bun.file(page).text()).trimEnd().split("\n"))
})

/** Says where to look: a setting, an option or a command. */
const setting = new RegExp(entries.map(({ path }) => path.replace(".", "\\.")).join("|"))
const names = (text: string) => setting.test(text) || /\$\{setting\}|`rewards |--\w/.test(text)

/** Behind the name of a setting, a file or a host, and about this machine alone. */
const generic = /^src\/support\/system-errors\.ts:|\bclock\b|\bDNS settings\b|^src\/cli\/(database|healthcheck)\.ts:/

test("each of them names the setting, the option or the command", async () => {
  expect((await cures()).filter((text) => !names(text) && !generic.test(text))).toEqual([])
})
