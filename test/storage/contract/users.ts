import { expect, test } from "bun:test"
import { allow, hashOf, person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

export function userPromises(open: OpenSubject) {
  test("a created user is stored completely, with an id and versions that start at 0", async () => {
    await using subject = await open()
    const { users } = subject.store

    const ana = await users.create(
      person("Ana", { dept: "management", currency: "BRL", avatar: "https://x.example/a.png" }),
    )

    expect(ana).toEqual({
      id: 1,
      name: "Ana",
      username: "ana",
      email: "ana@example.com",
      dept: "management",
      currency: "BRL",
      avatar: "https://x.example/a.png",
      bio: null,
      password: hashOf("Ana"),
      accessVersion: 0,
      refreshVersion: 0,
      keptToken: null,
      deactivatedAt: null,
      erasedAt: null,
      birthday: null,
      joined: null,
      celebrates: null,
      managerId: null,
      duties: [],
    })
    const other = await subject.reopen()
    expect(await other.users.byUsername("ana")).toEqual(ana)
    expect(await other.users.byEmail("ana@example.com")).toEqual(ana)
  })

  test("in every store, a log-in finds people by username and e-mail address regardless of case", async () => {
    await using subject = await open()
    const { users } = subject.store
    const ana = await users.create(person("Ana", { username: "AnaÉ" }))
    const bruno = await users.create(person("Bruno", { username: "Ana@Example.com" }))
    await users.merge({ create: [person("Carla", { username: "ΣΟΦΟΣ" })], update: [], entries: [], jobs: [] })
    const carla = await users.byUsername("ΣΟΦΟΣ")
    const other = await subject.reopen()

    for (const store of [subject.store, other]) {
      for (const name of ["AnaÉ", "anaé", "ANAÉ", "ANAe\u0301"])
        expect(await store.users.byLoginName(name)).toEqual([ana])
      expect(await store.users.byLoginName("ANA@example.com")).toEqual([ana, bruno])
      expect(await store.users.byLoginName("σοφος")).toEqual(carla ? [carla] : [])
      for (const name of ["", "anae", "a".repeat(70_000)]) expect(await store.users.byLoginName(name)).toEqual([])
    }
  })

  test("saved reasons are stored for each user and replaced as a whole", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { users } = subject.store
    expect(await users.templatesOf(ana.id)).toEqual([])
    await users.saveTemplates(ana.id, ["one", 'two "quoted"\nlines'])
    await users.saveTemplates(bruno.id, ["another"])
    await users.saveTemplates(ana.id, ['two "quoted"\nlines'])

    const other = await subject.reopen()
    expect(await other.users.templatesOf(ana.id)).toEqual(['two "quoted"\nlines'])
    await users.saveTemplates(ana.id, [])
    expect([await other.users.templatesOf(ana.id), await other.users.templatesOf(bruno.id)]).toEqual([[], ["another"]])
  })

  test("an unknown name or address finds no user", async () => {
    await using subject = await open()
    const { users } = subject.store
    await users.create(person("Ana"))

    expect(await users.byUsername("bruno")).toBeNull()
    expect(await users.byUsername("Ana")).toBeNull()
    expect(await users.byEmail("bruno@example.com")).toBeNull()
    expect(await users.balanceOf(99)).toBe(0)
  })

  test("every store refuses a username that looks like a taken one; existing usernames stay", async () => {
    await using subject = await open()
    const { users } = subject.store
    await users.create(person("Ana"))
    const other = await subject.reopen()
    await other.users.create(person("Bruno"))

    // Cyrillic, full-width, capital and mixed letters.
    for (const username of ["аna", "ａｎａ", "ANA", "аｎA", "brunо"])
      expect(await refusalOf(users.create(person("Carla", { username })))).toMatchObject({ code: "username_lookalike" })
    expect(await refusalOf(users.create(person("Carla", { username: "ana" })))).toMatchObject({
      code: "username_taken",
    })
    expect((await users.list()).map(({ username }) => username)).toEqual(["ana", "bruno"])
    expect((await users.create(person("Carla", { username: "anа-2" }))).username).toBe("anа-2")
    expect(await refusalOf(other.users.create(person("Davi", { username: "ana-2" })))).toMatchObject({
      code: "username_lookalike",
    })
  })

  test("a taken username is reported before a taken address", async () => {
    await using subject = await open()
    const { users } = subject.store
    const ana = await users.create(person("Ana"))

    expect(await refusalOf(users.create(person("Ana")))).toMatchObject({ code: "username_taken" })
    expect(await refusalOf(users.create(person("Ana", { email: "other@example.com" })))).toMatchObject({
      code: "username_taken",
    })
    expect(await users.list()).toEqual([{ ...ana, balance: 0 }])
  })

  for (const [first, second] of [
    ["ana@example.com", "ana@example.com"],
    ["Ana@Example.com", "aNA@eXAMPLE.COM"],
    ["åsa.ÑANDÚ@example.com", "ÅSA.ñandú@example.com"],
    ["ЖЕНЯ@example.com", "женя@example.com"],
  ] as const)
    test(`an address is unique regardless of case: ${first} keeps ${second} out`, async () => {
      await using subject = await open()
      const { users } = subject.store
      const ana = await users.create(person("Ana", { email: first }))

      expect(await refusalOf(users.create(person("Bruno", { email: second })))).toMatchObject({ code: "integrity" })
      expect(await users.list()).toEqual([{ ...ana, balance: 0 }])
    })

  test("a user is found by address regardless of case, and the address stays as it was written", async () => {
    await using subject = await open()
    const { users } = subject.store
    const asa = await users.create(person("Asa", { email: "Åsa@Example.com" }))

    expect(await users.byEmail("åSA@eXAMPLE.com")).toEqual(asa)
    expect(asa.email).toBe("Åsa@Example.com")
  })

  test("refused users use up no id: the next one is created with the next id, and found", async () => {
    await using subject = await open()
    const { users } = subject.store
    const ana = await users.create(person("Ana"))
    await refusalOf(users.create(person("Ana")))
    await refusalOf(users.create(person("Bruno", { username: "АNA" })))
    await refusalOf(users.create(person("Bruno", { email: "ana@example.com" })))

    const bruno = await users.create(person("Bruno"))

    expect(bruno.id).toBe(ana.id + 1)
    expect(await users.byUsername("bruno")).toEqual(bruno)
  })

  test("if two stores create the same user at the same time, one user is created", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]

    const created = await Promise.allSettled(stores.map(({ users }) => users.create(person("Ana"))))

    expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(created.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "username_taken" } })
    expect(await subject.store.users.list()).toHaveLength(1)
  })

  test("all users are listed by ascending id, with the balance, which is 0 for people who never had points", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const carla = await users.create(person("Carla"))
    const ana = await users.create(person("Ana"))
    const bruno = await users.create(person("Bruno"))

    await ledger.post({ kind: "transfer", senderId: carla.id, receiverId: ana.id, value: 30, date: 1 }, allow)

    expect(await users.list()).toEqual([
      { ...carla, balance: -30 },
      { ...ana, balance: 30 },
      { ...bruno, balance: 0 },
    ])
  })

  test("a profile update sets both fields and changes nothing else of anybody", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)

    const written = await users.updateProfile(ana.id, { avatar: "https://x.example/a.png", bio: "Olá 👋" })
    expect(written).toEqual({ ...ana, avatar: "https://x.example/a.png", bio: "Olá 👋" })
    const days = { birthday: "02-29", celebrates: false, joined: "2024-02-29" }
    await users.updateProfile(ana.id, { birthday: days.birthday, celebrates: days.celebrates })
    await users.correct(ana.id, { joined: days.joined })
    expect(await (await subject.reopen()).users.byUsername("ana")).toEqual({ ...written, ...days })
    await users.updateProfile(ana.id, { birthday: null, celebrates: null })
    await users.correct(ana.id, { joined: null })
    const emptied = await users.updateProfile(ana.id, { avatar: null, bio: "" })
    expect(emptied).toEqual({ ...ana, avatar: null, bio: "" })

    const listed = [emptied, bruno, carla].map((user) => ({ ...user, balance: 0 }))
    expect(await (await subject.reopen()).users.list()).toEqual(listed)
  })

  test("a name that looks like another person's is refused where namesakes are not allowed, and leaves no trace", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const before = await users.list()
    const other = await subject.reopen()
    const rename = (name: string, store = subject.store) =>
      store.users.updateProfile(bruno.id, { name, bio: "Hi" }, undefined, "refuse")

    for (const store of [subject.store, other])
      expect(await refusalOf(rename("АNА", store))).toMatchObject({ code: "name_lookalike" })
    expect(await users.list()).toEqual(before)

    expect(await other.users.updateProfile(ana.id, { name: "Bea" })).toMatchObject({ name: "Bea" })
    expect(await rename("Ana")).toMatchObject({ name: "Ana", bio: "Hi" })
    expect(await refusalOf(rename("bea"))).toMatchObject({ code: "name_lookalike" })
    expect(await users.updateProfile(bruno.id, { name: "Bea" })).toMatchObject({ name: "Bea" })
    expect(await rename("Bea")).toMatchObject({ name: "Bea" })
  })

  test("the picture of an avatar is found by its hash while any user has it", async () => {
    await using subject = await open()
    const { users } = subject.store
    const other = await subject.reopen()
    const { ana, bruno } = await threePeople(subject.store)
    const [one, two] = ["a", "b"].map((letter) => ({
      hash: letter.repeat(64),
      kind: "png" as const,
      bytes: new TextEncoder().encode(letter),
    }))
    if (!one || !two) throw new Error("there are two pictures")

    expect(await users.saveAvatar(ana.id, one)).toEqual({ ...ana, avatar: `/api/v1/avatars/${one.hash}` })
    await users.saveAvatar(bruno.id, one)
    expect(await other.users.picture(one.hash)).toEqual(one)
    await users.saveAvatar(ana.id, two)
    expect(await other.users.picture(one.hash)).toEqual(one)
    await users.updateProfile(bruno.id, { avatar: null })
    expect(await other.users.picture(one.hash)).toBeNull()
    expect(await other.users.picture(two.hash)).toEqual(two)
  })

  test("a change of department changes nothing else of anybody", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)

    const moved = await users.correct(ana.id, { dept: "management" })

    expect(moved).toEqual({ ...ana, dept: "management" })
    const listed = [moved, bruno, carla].map((user) => ({ ...user, balance: 0 }))
    expect(await (await subject.reopen()).users.list()).toEqual(listed)
  })
}
