import type { TestMail } from "../../domain/jobs/jobs.ts"
import { takesPart } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { fill } from "../../languages/writing.ts"
import { composedFrom } from "./letter.ts"
import { type MailOptions, send } from "./sending.ts"
import { mailWords } from "./words.ts"

interface TestMailOptions extends MailOptions {
  readonly store: Pick<Store, "mail" | "users">
}

/** Handler of kind `test_mail`: tells a superuser that mail arrives. The result is `sent`, or `no user`. */
export function createTestMail(options: TestMailOptions): Handler {
  const { store, service, programme, address, logo } = options
  return async (payload, run) => {
    const { userId } = (payload ?? {}) as Partial<Record<keyof TestMail, unknown>>
    if (typeof userId !== "number") throw new PermanentFailure("the payload is not { userId }")
    const [user] = await store.users.byIds([userId])
    if (!takesPart(user)) return "no user"
    const language = (await store.mail.choiceOf(userId)).language ?? service.language
    const { test, why } = mailWords(language, await programme.current()).texts
    const said = { service: service.name, name: user.name, url: `${address.url}/admin/server` }
    const mail = composedFrom(test, said, { language, logo, reason: fill(why, said) })
    return send(options, { to: user.email, ...mail }, run)
  }
}
