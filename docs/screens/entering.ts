import type { Page } from "playwright-core"
import { type Member, passwordOf } from "./team.ts"

/** Goes there with a session of somebody, and waits for what is seen. */
export async function as(
  page: Page,
  { username, password }: Pick<Member, "username"> & { readonly password?: string },
  address: string,
  seen: { waitFor(): Promise<void> },
) {
  await page.request.post("/login", { form: { username, password: password ?? passwordOf({ username }) } })
  await page.goto(address)
  await seen.waitFor()
}

/** The box is one line until it is opened. */
export const openGiveBox = (page: Page) => page.locator("#give > button, #give input").first().click()
