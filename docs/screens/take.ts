import { join } from "node:path"
import type { Browser } from "playwright-core"
import { startBrowser } from "../../test/ui/browser.ts"
import { openPage } from "../../test/ui/page.ts"
import { type House, openHouse } from "./house.ts"
import { type Kind, kinds, night, type Picture } from "./kinds.ts"
import { moment } from "./months.ts"
import { pictures } from "./pictures.ts"
import { quantise } from "./png.ts"

if (import.meta.main) await takeAll(process.argv.slice(2))

/** Takes every picture, or those of the screens that are named: always the same, as long as the screens are. */
async function takeAll(named: readonly string[]) {
  await using browser = await startBrowser()
  const wanted = Object.entries(pictures).filter(([name]) => named.length === 0 || named.includes(name))
  for (const house of new Set(wanted.map(([, picture]) => houseOf(picture)))) {
    await using server = await openHouse(house)
    for (const [name, picture] of wanted.filter(([, picture]) => houseOf(picture) === house))
      for (const kind of picture.kinds) {
        const taken = await take(browser, server.url, picture, kind)
        await Bun.write(join(import.meta.dir, `${name}-${kind}.png`), await quantise(browser, taken))
      }
  }
}

function houseOf({ house = "english" }: Picture): House {
  return house
}

/** One picture, as PNG. */
async function take(browser: Browser, url: string, { open, house }: Picture, kind: Kind): Promise<Uint8Array> {
  const options = {
    ...kinds[kind],
    reducedMotion: "reduce",
    ...(house === "portuguese" && { locale: "pt-BR" }),
  } as const
  await using opened = await openPage(browser, url, options)
  opened.page.setDefaultTimeout(30_000)
  await opened.page.clock.setFixedTime(kind === "night" ? night : moment)
  await open(opened.page)
  return await opened.page.screenshot({ animations: "disabled" })
}
