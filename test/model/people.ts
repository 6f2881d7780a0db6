import fc from "fast-check"
import { noSuchUser, ok, refused } from "../support/answers.ts"
import { type Act, act, admit, clientOf, credentialAt, type Expected, mustBe, unfit, viewerOf } from "./act.ts"
import { avatar, bio, brief, credential, maybe, password, username, usually } from "./arbitraries.ts"
import { balanceOf, endWhatAChangeEnds, isSuperuser, type Model, type ModelUser, userNamed } from "./state.ts"

const list = fc.record({ shown: credential, balances: fc.boolean() }).map(({ shown, balances }) =>
  act(`credential ${shown} lists the users${balances ? " with balances" : ""}`, async (model, place) => {
    const viewer = viewerOf(model, credentialAt(model, shown))
    const withBalance = balances && viewer !== null && isSuperuser(viewer)
    const expected = model.users.map((user) => shownUser(model, user, withBalance))
    mustBe(ok(expected), await clientOf(place, credentialAt(model, shown)).get(`/user/?show_balance=${balances}`))
  }),
)

const show = fc.record({ shown: credential, username, balance: fc.boolean() }).map(({ shown, username, balance }) =>
  act(`credential ${shown} looks at ${username}${balance ? " with balance" : ""}`, async (model, place) => {
    const viewer = viewerOf(model, credentialAt(model, shown))
    const user = userNamed(model, username)
    const withBalance = balance && viewer !== null && (isSuperuser(viewer) || viewer === user)
    mustBe(
      user ? ok(shownUser(model, user, withBalance)) : noSuchUser,
      await clientOf(place, credentialAt(model, shown)).get(`/user/${username}/?show_balance=${balance}`),
    )
  }),
)

const request = fc.record(
  {
    name: usually(["Davi", "Elisa  Maria"], ["Ana", ""]),
    email: usually(["davi@example.com", "elisa@example.com", "ELISA@example.com"], ["Ana@Example.com", "nowhere"]),
    dept: fc.constantFrom("sales", "management"),
    password: usually(["a first password"], [""]),
    currency: usually(["EUR"], [""]),
    username: usually([null, "davi", "elisa-maria"], ["ws", "a/b"]),
    avatar,
    bio,
  },
  { requiredKeys: ["name", "email", "dept", "password"] },
)

const create = fc.record({ shown: credential, request }).map(({ shown, request }) =>
  act(`credential ${shown} creates ${brief(request)}`, async (model, place) => {
    const { name, email, dept, password, currency = "USD", avatar = null, bio = null } = request
    const username = request.username ?? name.toLowerCase().replace(/ +/g, "-")
    const user = { username, name, email, dept, password, currency, avatar, bio }
    const admitted = admit(model, credentialAt(model, shown))

    const expected = (): Expected => {
      if ("refusal" in admitted) return admitted.refusal
      if (!isSuperuser(admitted.caller)) return refused(403, "Not a super user")
      const fits = [name, password, currency, username].every((text) => text !== "") && email !== "nowhere"
      if (!fits || username === "ws" || username === "a/b" || !isProfile(user)) return unfit
      if (userNamed(model, username)) return refused(409, "Username already taken")
      const taken = model.users.some((other) => other.email.toLowerCase() === email.toLowerCase())
      return taken ? refused(500, "Database IntegrityError") : { status: 201, body: shownUser(model, user, false) }
    }
    const answer = expected()
    mustBe(answer, await clientOf(place, credentialAt(model, shown)).post("/user/", request))
    if (answer.status === 201) model.users.push(user)
  }),
)

const patch = fc
  .record({ shown: credential, username, profile: fc.record({ avatar, bio }, { requiredKeys: [] }) })
  .map(({ shown, username, profile }) =>
    act(`credential ${shown} gives ${username} ${brief(profile)}`, async (model, place) => {
      const user = userNamed(model, username)
      const admitted = admit(model, credentialAt(model, shown))
      const { avatar = null, bio = null } = profile

      const expected = (): Expected => {
        if ("refusal" in admitted) return admitted.refusal
        if (!user) return noSuchUser
        if (!isSuperuser(admitted.caller) && admitted.caller !== user)
          return refused(403, "You can only update your own profile")
        return isProfile({ avatar, bio }) ? ok(shownUser(model, { ...user, avatar, bio }, false)) : unfit
      }
      const answer = expected()
      mustBe(answer, await clientOf(place, credentialAt(model, shown)).patch(`/user/${username}/`, profile))
      if (user && answer.status === 200) Object.assign(user, { avatar, bio })
    }),
  )

const changePassword = fc
  .record({
    shown: credential,
    username,
    password,
    differs: usually([false], [true]),
    reset: maybe(fc.nat({ max: 3 })),
  })
  .map(({ shown, username, password, differs, reset }) => {
    const how = `${reset === undefined ? "" : ` by reset token ${reset}`}${differs ? ", typed in wrong," : ""}`
    const told = `credential ${shown}${how} sets the password of ${username} to ${brief(password)}`
    return act(told, async (model, place) => {
      const user = userNamed(model, username)
      const viewer = viewerOf(model, credentialAt(model, shown))
      const token =
        reset === undefined ? undefined : model.resetTokens.at(-1 - (reset % (model.resetTokens.length + 1)))
      const byToken = token?.username === username && !token.ended

      const expected = (): Expected => {
        if (!user) return noSuchUser
        if (!byToken && viewer !== user && !(viewer && isSuperuser(viewer)))
          return refused(403, "You are not allowed to change this user's password")
        if (password === "" || Buffer.byteLength(password) > 1024) return unfit
        return differs ? refused(400, "Passwords do not match") : ok(shownUser(model, user, false))
      }
      const answer = expected()
      const path = `/user/${username}/password/${token ? `?pwd_reset_token=${token.token}` : ""}`
      const change = { password, password_confirm: differs ? `${password}.` : password }
      mustBe(answer, await clientOf(place, credentialAt(model, shown)).post(path, change))
      if (!user || answer.status !== 200) return
      user.password = password
      endWhatAChangeEnds(model, username, byToken || viewer !== user, credentialAt(model, shown))
    })
  })

export const people: fc.WeightedArbitrary<Act>[] = [
  { arbitrary: list, weight: 2 },
  { arbitrary: show, weight: 3 },
  { arbitrary: create, weight: 3 },
  { arbitrary: patch, weight: 3 },
  { arbitrary: changePassword, weight: 3 },
]

function shownUser(model: Model, user: ModelUser, withBalance: boolean) {
  const { password: _, email: __, ...shown } = user
  return withBalance ? { ...shown, balance: balanceOf(model, user.username) } : shown
}

const isProfile = ({ avatar, bio }: Pick<ModelUser, "avatar" | "bio">): boolean =>
  (avatar === null || (avatar.startsWith("https:") && avatar.length <= 2048)) && (bio === null || bio.length <= 2000)
