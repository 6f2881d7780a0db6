import fc from "fast-check"
import { noSuchUser, ok, refused } from "../support/answers.ts"
import {
  type Action,
  action,
  authenticate,
  clientOf,
  credentialAt,
  type Expected,
  expectAnswer,
  unprocessable,
  viewerOf,
} from "./action.ts"
import { abbreviated, avatar, bio, credential, maybe, password, username, usually } from "./arbitraries.ts"
import { balanceOf, endCredentials, isSuperuser, type Model, type ModelUser, userNamed } from "./state.ts"

const list = fc.record({ shown: credential, balances: fc.boolean() }).map(({ shown, balances }) =>
  action(`credential ${shown} lists the users${balances ? " with balances" : ""}`, async (model, server) => {
    const viewer = viewerOf(model, credentialAt(model, shown))
    const withBalance = balances && viewer !== null && isSuperuser(viewer)
    const expected = model.users.map((user) => shownUser(model, user, withBalance))
    expectAnswer(
      ok(expected),
      await clientOf(server, credentialAt(model, shown)).get(`/user/?show_balance=${balances}`),
    )
  }),
)

const show = fc.record({ shown: credential, username, balance: fc.boolean() }).map(({ shown, username, balance }) =>
  action(`credential ${shown} looks at ${username}${balance ? " with balance" : ""}`, async (model, server) => {
    const viewer = viewerOf(model, credentialAt(model, shown))
    const user = userNamed(model, username)
    const withBalance = balance && viewer !== null && (isSuperuser(viewer) || viewer === user)
    expectAnswer(
      user ? ok(shownUser(model, user, withBalance)) : noSuchUser,
      await clientOf(server, credentialAt(model, shown)).get(`/user/${username}/?show_balance=${balance}`),
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
  action(`credential ${shown} creates ${abbreviated(request)}`, async (model, server) => {
    const { name, email, dept, password, currency = "USD", avatar = null, bio = null } = request
    const username = request.username ?? name.toLowerCase().replace(/ +/g, "-")
    const user = { username, name, email, dept, password, currency, avatar, bio }
    const authenticated = authenticate(model, credentialAt(model, shown))

    const expected = (): Expected => {
      if ("refusal" in authenticated) return authenticated.refusal
      if (!isSuperuser(authenticated.caller)) return refused(403, "Not a super user")
      const fits = [name, password, currency, username].every((text) => text !== "") && email !== "nowhere"
      if (!fits || username === "ws" || username === "a/b" || !isProfile(user)) return unprocessable
      if (userNamed(model, username)) return refused(409, "Username already taken")
      const taken = model.users.some((other) => other.email.toLowerCase() === email.toLowerCase())
      return taken ? refused(500, "Database IntegrityError") : { status: 201, body: shownUser(model, user, false) }
    }
    const answer = expected()
    expectAnswer(answer, await clientOf(server, credentialAt(model, shown)).post("/user/", request))
    if (answer.status === 201) model.users.push(user)
  }),
)

const patch = fc
  .record({ shown: credential, username, profile: fc.record({ avatar, bio }, { requiredKeys: [] }) })
  .map(({ shown, username, profile }) =>
    action(`credential ${shown} gives ${username} ${abbreviated(profile)}`, async (model, server) => {
      const user = userNamed(model, username)
      const authenticated = authenticate(model, credentialAt(model, shown))
      const { avatar = null, bio = null } = profile

      const expected = (): Expected => {
        if ("refusal" in authenticated) return authenticated.refusal
        if (!user) return noSuchUser
        if (!isSuperuser(authenticated.caller) && authenticated.caller !== user)
          return refused(403, "You can only update your own profile")
        return isProfile({ avatar, bio }) ? ok(shownUser(model, { ...user, avatar, bio }, false)) : unprocessable
      }
      const answer = expected()
      expectAnswer(answer, await clientOf(server, credentialAt(model, shown)).patch(`/user/${username}/`, profile))
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
    const how = `${reset === undefined ? "" : ` by reset token ${reset}`}${differs ? ", repeated wrongly," : ""}`
    const description = `credential ${shown}${how} sets the password of ${username} to ${abbreviated(password)}`
    return action(description, async (model, server) => {
      const user = userNamed(model, username)
      const viewer = viewerOf(model, credentialAt(model, shown))
      const token =
        reset === undefined ? undefined : model.resetTokens.at(-1 - (reset % (model.resetTokens.length + 1)))
      const byToken = token?.username === username && !token.ended

      const expected = (): Expected => {
        if (!user) return noSuchUser
        if (!byToken && viewer !== user && !(viewer && isSuperuser(viewer)))
          return refused(403, "You are not allowed to change this user's password")
        if (password === "" || Buffer.byteLength(password) > 1024) return unprocessable
        return differs ? refused(400, "Passwords do not match") : ok(shownUser(model, user, false))
      }
      const answer = expected()
      const path = `/user/${username}/password/${token ? `?pwd_reset_token=${token.token}` : ""}`
      const change = { password, password_confirm: differs ? `${password}.` : password }
      expectAnswer(answer, await clientOf(server, credentialAt(model, shown)).post(path, change))
      if (!user || answer.status !== 200) return
      user.password = password
      endCredentials(model, username, byToken || viewer !== user, credentialAt(model, shown))
    })
  })

export const people: fc.WeightedArbitrary<Action>[] = [
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
