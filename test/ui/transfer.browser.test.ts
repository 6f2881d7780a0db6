import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page, Route } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { answerOnce, becomes, type Size, sizes, stopUndoTime } from "./page.ts"
import { openGiveBox, openHome, sendHeld, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { REWARDS_RECOGNITION__TAGS: "teamwork,courage" } })
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a few keys give points: the entry is shown at once, the receiver sees it without a reload, both balances are right", async () => {
    const [ana, bruno] = [await createUser("Ana", size, 100), await createUser("Bruno", size, 0)]
    await using mine = await open(ana, size)
    await using theirs = await open(bruno, size)
    const { page } = mine

    const press = keysOf(page)
    await openGiveBox(page)
    await page.getByRole("combobox", { name: "To whom" }).focus()
    await page.keyboard.type(`bruno ${size}`)
    await page.getByRole("option", { name: "Bruno" }).waitFor()
    await press("ArrowDown", "Enter", "Tab", "ArrowRight", "Tab")
    await page.keyboard.type(`For the calm release on the ${size}`)
    await press("Tab", "Space")
    await page.getByRole("status").filter({ hasText: "25 points · 25 from what you earned" }).waitFor()
    const endUndoTime = await stopUndoTime(page)
    await twice(page)
    expect(press.count + 1).toBeLessThan(10)
    const mineAtOnce = page.getByRole("article").filter({ hasText: `For the calm release on the ${size}` })
    await mineAtOnce.getByText("Not sent yet.").waitFor()
    await balanceIs(page, "100")
    await endUndoTime()

    for (const { page } of [mine, theirs]) {
      const entry = page.getByRole("article").filter({ hasText: `For the calm release on the ${size}` })
      await entry.locator("time").waitFor()
      expect(await entry.count()).toBe(1)
      const parties = page === mine.page ? `Bruno ${size} from \\w+ you` : `You from \\w+ Ana ${size}`
      expect(await entry.textContent()).toMatch(new RegExp(parties))
      expect(await entry.textContent()).toContain("#teamwork")
    }
    await balanceIs(page, "75")
    await balanceIs(theirs.page, "25")
    expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(0)
    expect(await page.getByRole("alert").filter({ hasText: /./ }).count()).toBe(0)
  })

  test("an amount above the balance is reported before sending; if the balance shrank meanwhile, by the server, keeping all input", async () => {
    const [ana, bruno] = [await createUser("Anita", size, 0), await createUser("Benno", size, 0)]
    await (await as({ username: "admin", password: "admin" })).post("/api/v1/grants", {
      value: 100,
      usernames: [ana.username],
    })
    await using opened = await open(ana, size)
    const { page } = opened
    await pick(page, `benno ${size}`)
    await page.getByRole("radio", { name: "Another amount" }).focus()
    await page.keyboard.type("101")
    await page.getByRole("alert").filter({ hasText: "That's more than you have: 101 of 100." }).waitFor()
    await page.getByRole("button", { name: "Give", exact: true }).click()
    const look = page.getByRole("dialog", { name: "Give 100 points?" })
    expect(await look.count()).toBe(0)

    await choose(page, "100")
    await page.getByRole("textbox", { name: "What for" }).fill("All that I have")
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await look.waitFor()
    await page.keyboard.press("Escape")
    await look.waitFor({ state: "detached" })
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("All that I have")
    const elsewhere = await as(ana)
    const meanwhile = async (route: Route) => {
      recorded.push((await elsewhere.post(`/transaction/${bruno.username}/`, { value: 30 })).status)
      await route.continue()
    }
    const recorded: number[] = []
    await answerOnce(page, "**/api/v1/transactions", meanwhile)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByRole("button", { name: "Give 100 points" }).click()
    await look.waitFor({ state: "detached" })
    await becomes(async () => recorded, [201])
    await page.getByRole("alert").filter({ hasText: "Not given: Insufficient balance" }).waitFor()
    await openGiveBox(page)
    await page.getByRole("button", { name: `Remove Benno ${size}` }).waitFor()
    expect(await page.getByRole("article").filter({ hasText: "All that I have" }).count()).toBe(0)
    await becomes(() => page.getByRole("textbox", { name: "What for" }).inputValue(), "All that I have")
    await balanceIs(page, "70")
  })

  test("for three people and a department, the sum and what is left are shown; if the balance shrank meanwhile nobody gets points, then each once", async () => {
    const ana = await createUser("Aura", size, 100)
    const [dept, reason] = [`design ${size}`, `For the new look on the ${size}`]
    for (const name of ["Carla", "Davi", "Elena"]) await createUser(name, size, 0)
    for (const name of ["Farid", "Gina"]) await createUser(name, size, 0, dept)
    await using opened = await open(ana, size)
    const { page } = opened
    await openGiveBox(page)
    await offersWhatFits(page, size)
    for (const name of ["carla", "davi", "elena"]) await pick(page, `${name} ${size}`)
    await pick(page, dept)
    await page.keyboard.press("Backspace")
    await page.getByRole("button", { name: `Remove ${dept}` }).waitFor({ state: "detached" })
    await pick(page, dept)
    await choose(page, "10")
    await page.getByText("5 × 10 = 50 points · 50 from what you earned").waitFor()
    await page.getByRole("textbox", { name: "What for" }).fill(reason)
    await page.getByRole("form").getByText("#courage").click()
    await page.getByRole("button", { name: "Give", exact: true }).click()
    const look = page.getByRole("dialog", { name: "Give 10 points to each?" })
    for (const name of ["Carla", "Davi", "Elena", "Farid", "Gina"])
      await look.getByText(`${name} ${size}`).first().waitFor()
    await look.getByText("5 × 10 = 50 points").click()
    await page.mouse.click(5, 5)
    await look.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Give", exact: true }).and(page.locator(":focus")).waitFor()
    await page.keyboard.press("Enter")
    const elsewhere = await as(ana)
    const meanwhile = async (route: Route) => {
      await elsewhere.post("/transaction/admin/", { value: 60 })
      await route.continue()
    }
    await answerOnce(page, "**/api/v1/transactions", meanwhile)
    await look.getByRole("button", { name: "Give 50 points" }).click()

    await page.getByRole("alert").filter({ hasText: "Not given: Insufficient balance" }).waitFor()
    await balanceIs(page, "40")
    await openGiveBox(page)
    const admin = await as({ username: "admin", password: "admin" })
    for (const name of ["carla", "davi", "elena", "farid", "gina"])
      expect((await admin.get(`/user/${name}-${size}/?show_balance=true`)).body).toMatchObject({ balance: 0 })
    for (const name of ["Carla", "Davi", "Elena", "Farid", "Gina"])
      await page.getByRole("button", { name: `Remove ${name} ${size}` }).waitFor()
    await page.getByRole("radio", { name: "10 points", exact: true, checked: true }).waitFor()
    await page.getByRole("checkbox", { name: "#courage", checked: true }).waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe(reason)

    await admin.post(`/transaction/${ana.username}/`, { value: 60 })
    await page.reload()
    await openGiveBox(page)
    await page.getByText("5 × 10 = 50 points · 50 from what you earned").waitFor()
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await look.getByRole("button", { name: "Give 50 points" }).click()
    await balanceIs(page, "50")
    const entry = page.getByRole("article").filter({ hasText: reason })
    await entry.locator("time").waitFor()
    expect(await entry.count()).toBe(1)
    await entry.getByRole("button", { name: "2 more" }).click()
    for (const name of ["Carla", "Davi", "Elena", "Farid", "Gina"])
      await entry.getByRole("link", { name: `${name} ${size}` }).waitFor()
  })

  test("the keyboard scrolls what is confirmed if it is longer than its place, and only then", async () => {
    const [ona, dept] = [await createUser("Ona", size, 100), `choir ${size}`]
    for (const name of ["Pia", "Quim", "Rosa", "Saul", "Tom", "Uwe", "Vera"]) await createUser(name, size, 0, dept)
    await using opened = await open(ona, size)
    const { page } = opened
    await pick(page, dept)
    await choose(page, "10")
    await page.getByRole("textbox", { name: "What for" }).fill("Each voice\n".repeat(20))
    await page.getByRole("button", { name: "Give", exact: true }).click()
    const look = page.getByRole("dialog", { name: "Give 10 points to each?" })
    await look.getByText(`Vera ${size}`).first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await look.locator("[tabindex]").count()).toBe(2)
    await page.keyboard.press("Escape")
    await page.getByRole("textbox", { name: "What for" }).fill("Each voice")
    await page.getByRole("button", { name: `Remove ${dept}` }).click()
    await pick(page, `pia ${size}`)
    await pick(page, `quim ${size}`)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await look.getByText("2 × 10 = 20 points").waitFor()
    expect(await look.locator("[tabindex]").count()).toBe(0)
  })

  test("three people thanked at once: one entry with three faces in every feed, each is told and counted, and can redeem", async () => {
    const ida = await createUser("Ida", size, 100)
    const [jan, kim, lia] = [
      await createUser("Jan", size, 0),
      await createUser("Kim", size, 0),
      await createUser("Lia", size, 0),
    ]
    const reason = `For the fair on the ${size}`
    await using mine = await open(ida, size)
    await using theirs = await open(kim, size)
    const { page } = mine
    for (const name of ["jan", "kim", "lia"]) await pick(page, `${name} ${size}`)
    await choose(page, "25")
    await page.getByText("3 × 25 = 75 points · 75 from what you earned").waitFor()
    await page.getByRole("textbox", { name: "What for" }).fill(reason)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page
      .getByRole("dialog", { name: "Give 25 points to each?" })
      .getByRole("button", { name: "Give 75 points" })
      .click()

    const entryOn = (on: Page) => on.getByRole("article").filter({ hasText: reason })
    for (const [on, sentence] of [
      [page, `Jan ${size}, Kim ${size} and Lia ${size} from`],
      [theirs.page, `You, Jan ${size} and Lia ${size} from`],
    ] as const) {
      const entry = entryOn(on)
      await entry.locator("time").waitFor()
      expect(await entry.count()).toBe(1)
      expect(await entry.textContent()).toContain(sentence)
      expect(await entry.textContent()).toContain("each")
      expect(await entry.locator("[data-faces] .face").count()).toBe(3)
    }
    await balanceIs(page, "25")
    await balanceIs(theirs.page, "25")
    for (const who of [jan, kim, lia]) {
      const they = await as(who)
      expect((await they.get("/api/v1/me")).body).toMatchObject({ redeemable: 25 })
      expect((await they.get("/api/v1/notifications")).body).toMatchObject({ items: [{ recognition: { total: 75 } }] })
      expect((await they.get("/api/v1/leaderboard?by=received")).body).toMatchObject({ own: { points: 25 } })
    }

    await theirs.page
      .getByRole("article")
      .filter({ hasText: reason })
      .getByRole("button", { name: "React or reply" })
      .press("Enter")
    await entryOn(theirs.page).getByRole("button", { name: "👏", exact: true }).click()
    await entryOn(theirs.page).locator("time").click()
    await theirs.page.getByRole("article").filter({ hasText: reason }).getByText("👏").first().waitFor()
    const { id } = ((await (await as(jan)).get("/api/v1/feed?size=1")).body as { items: [{ id: number }] }).items[0]
    await page.goto(`/recognition/${id + 2}`)
    await entryOn(page)
      .getByRole("link", { name: `Lia ${size}` })
      .waitFor()
  })

  test("a superuser gives to many as a grant, which is in no feed", async () => {
    const mona = await createUser("Mona", size, 0, "management")
    for (const name of ["Noel", "Olga"]) await createUser(name, size, 0)
    const reason = `A budget on the ${size}`
    await using opened = await open(mona, size)
    const { page } = opened
    await page.goto("/admin")
    await page.getByRole("link", { name: /^Give to many/ }).click()
    await openGiveBox(page)
    const isGrant = page.getByRole("checkbox", { name: "Grant: to pass on, not as thanks", checked: true })
    await isGrant.waitFor()
    for (const name of ["noel", "olga"]) await pick(page, `${name} ${size}`)
    await choose(page, "10")
    await page.getByRole("textbox", { name: "What for" }).fill(reason)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByRole("button", { name: "Give 20 points" }).click()

    await page.getByRole("article").filter({ hasText: reason }).waitFor({ state: "detached" })
    await page.goto(`/history?from_user=${mona.username}`)
    await becomes(() => page.getByText("Grant", { exact: true }).count(), 2)
  })

  test("a refused transfer returns to the box with all its input, even if its amount was typed", async () => {
    const ana = await createUser("Alma", size, 100)
    await createUser("Beat", size, 0)
    await using opened = await open(ana, size)
    const { page } = opened
    await answerOnce(page, "**/api/v1/transactions", (route) =>
      route.fulfill({ status: 400, json: { detail: "Insufficient balance" } }),
    )
    await pick(page, `beat ${size}`)
    await page.getByRole("textbox", { name: "What for" }).fill("For the typed amount")
    await page.getByRole("textbox", { name: "Another amount" }).fill("37")
    const endUndoTime = await stopUndoTime(page)
    await page.keyboard.press("Enter")
    await page.getByRole("article").getByText("Not sent yet.").waitFor()
    await endUndoTime()

    await page.getByRole("alert").filter({ hasText: "Not given: Insufficient balance" }).waitFor()
    await openGiveBox(page)
    await page.getByRole("button", { name: `Remove Beat ${size}` }).waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("For the typed amount")
    expect(await page.getByRole("textbox", { name: "Another amount" }).inputValue()).toBe("37")

    // The new draft does not replace the refused transfer.
    await answerOnce(page, "**/api/v1/transactions", async (route) => {
      await openGiveBox(page)
      await page.getByRole("textbox", { name: "What for" }).fill("The next thought")
      await route.fulfill({ status: 400, json: { detail: "Insufficient balance" } })
    })
    await page.waitForTimeout(600) // or it counts as the second half of a double Enter
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await sendHeld(page)
    await page.getByRole("alert").filter({ hasText: "Not given: Insufficient balance" }).waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("The next thought")
    await page.getByRole("textbox", { name: "What for" }).fill("")
    await page.getByRole("button", { name: "Put it back in the box" }).click()
    await page.getByRole("button", { name: `Remove Beat ${size}` }).waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("For the typed amount")
  })

  test("a refusal is shown in the server's words when the words of the app do not arrive", async () => {
    const ana = await createUser("Asta", size, 100)
    await createUser("Bodo", size, 0)
    await using opened = await open(ana, size)
    const { page } = opened
    await page.route("**/assets/details-*", () => {})
    await answerOnce(page, "**/api/v1/transactions", (route) =>
      route.fulfill({ status: 400, json: { detail: "Insufficient balance" } }),
    )
    await pick(page, `bodo ${size}`)
    await page.getByRole("textbox", { name: "What for" }).fill("Without the words")
    await page.getByRole("textbox", { name: "Another amount" }).fill("37")
    await page.keyboard.press("Enter")
    await sendHeld(page)
    await page.getByRole("alert").filter({ hasText: "Not given: Insufficient balance" }).waitFor()
  })

  test("the numbers in an open confirmation do not change; if the points no longer suffice, it closes with the reason", async () => {
    const [ana, bruno] = [await createUser("Anna", size, 100), await createUser("Berta", size, 50)]
    await using opened = await open(ana, size)
    const { page } = opened
    const look = page.getByRole("dialog", { name: "Give 60 points?" })
    await pick(page, `berta ${size}`)
    await page.getByRole("textbox", { name: "Another amount" }).fill("60")
    await page.getByRole("textbox", { name: "What for" }).fill("Kept")
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await look.getByText("60 from what you earned").waitFor()

    await (await as(bruno)).post(`/transaction/${ana.username}/`, { value: 50 })
    await balanceIs(page, "150")
    expect(await look.getByText("60 from what you earned").count()).toBe(1)
    await (await as(ana)).post(`/transaction/${bruno.username}/`, { value: 120 })
    await look.waitFor({ state: "detached" })
    await page.getByRole("alert").filter({ hasText: "Not given yet: you now have 30 points." }).waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("Kept")
    await page.getByRole("alert").filter({ hasText: "That's more than you have: 60 of 30." }).waitFor()

    await choose(page, "10")
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await sendHeld(page)
    expect(await page.getByText("Not given yet").count()).toBe(0)
    await balanceIs(page, "20")
  })
})

/** The invalid field has the focus and an error; its list opens with matches, follows the arrow keys, and closes. */
async function offersWhatFits(page: Page, size: Size) {
  const box = page.getByRole("combobox", { name: "To whom" })
  const option = page.getByRole("option", { name: `Carla ${size}` })
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await becomes(() => box.and(page.locator(":focus")).evaluate(wrongIn), ["true", "Choose who to give to."])

  await page.keyboard.type(`carla ${size}`)
  await option.waitFor()
  await page.keyboard.press("Escape")
  await option.waitFor({ state: "hidden" })
  expect(await box.inputValue()).toBe(`carla ${size}`)
  await page.keyboard.press("Backspace")
  await option.waitFor()
  await page.keyboard.press("Tab")
  await option.waitFor({ state: "hidden" })
  await box.fill("nobody of this name")
  await page.getByRole("status").filter({ hasText: "No one found" }).waitFor()

  const marked = () =>
    page.locator('[role="option"][aria-selected="true"]').evaluateAll((all) => all.map((one) => one.dataset.index))
  await becomes(async () => {
    await box.fill("")
    await box.fill(size)
    await option.waitFor()
    const seen: (string | undefined)[] = []
    // More options that arrive meanwhile begin anew.
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) {
      await page.keyboard.press(key)
      seen.push(...(await marked()))
    }
    return seen
  }, ["0", "1", "0"])
  await box.fill("")
  await box.press("Escape")
  await option.waitFor({ state: "hidden" })
}

const wrongIn = (field: Element) => [
  field.getAttribute("aria-invalid"),
  document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent,
]

const createUser = (name: string, size: Size, points: number, dept = "sales") =>
  app.createUser(`${name} ${size}`, { points, dept })

/** Without motion: a dialog that still slides could move away under a click. */
const open = (who: User, size: Size) => openHome(app, who, { ...sizes[size], reducedMotion: "reduce" })

async function pick(page: Page, name: string) {
  await openGiveBox(page)
  await page.getByRole("combobox", { name: "To whom" }).focus()
  await page.keyboard.type(name)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: new RegExp(`^Remove ${name}`, "i") }).waitFor()
}

const choose = (page: Page, amount: string) =>
  page
    .getByRole("group", { name: /^Points/ })
    .getByText(amount, { exact: true })
    .click()

const balanceIs = (page: Page, balance: string) =>
  page.getByRole("definition").getByText(balance, { exact: true }).first().waitFor()

const as = (who: Pick<User, "username" | "password">) => callerOf(app.server.url, who)

/** Presses Enter twice without waiting. */
async function twice(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" }
  const types = ["keyDown", "keyUp", "keyDown", "keyUp"] as const
  await Promise.all(types.map((type) => devtools.send("Input.dispatchKeyEvent", { type, ...enter })))
}

function keysOf(page: Page) {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    press.count += keys.length
  }
  press.count = 0
  return press
}
