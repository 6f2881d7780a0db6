import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { failureCauses, mailStates, type QueuedMail } from "../../../domain/jobs/ports.ts"
import { utcOrNull } from "../../../formats/views/dates.ts"
import type { Dependencies } from "../../dependencies.ts"
import { bodyErrors, operation } from "../../openapi-operations.ts"
import { byId, nullableText, numberOf, oneOf, ProtectedQuery, protectedQuery, text } from "../../schemas.ts"
import { dateOrNull, pageOf, pageParameters, pageView } from "./common-fields.ts"

type MailDependencies = Dependencies<"access" | "invitations" | "mailQueue">

/** The mail that is not sent, for superusers. */
export function mailRoutes({ app: { access, invitations, mailQueue }, guards }: MailDependencies) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/mail",
      async ({ actor, query: { state, before, size } }) => {
        const range = { before: numberOf(before), size: numberOf(size) }
        return pageView(await mailQueue.page(actor, { state, ...range }), mailView)
      },
      {
        superuser: "read",
        query: protectedQuery({ state: Type.Optional(oneOf(mailStates)), ...pageParameters }),
        detail: operation(
          "Mail",
          "List the mail that waits or was given up, newest first (superusers)",
          200,
          "MailPage",
        ),
      },
    )
    .get(
      "/api/v1/mail/links",
      async ({ actor, query: { username } }) => {
        const target = username === undefined ? null : await access.toUser(username)
        const links = await invitations.links(actor, target)
        return { items: links.map(({ username, name, url }) => ({ username, name, url })) }
      },
      {
        superuser: true,
        query: protectedQuery({ username: Type.Optional(text("only the link of this person")) }),
        detail: operation(
          "Mail",
          "In a trial without mail, the links that it would bring to those who never logged in (superusers)",
          200,
          "AccountLinks",
          ["user_not_found"],
        ),
      },
    )
    .post("/api/v1/mail/retry", async ({ actor }) => ({ count: await mailQueue.retryAll(actor) }), {
      superuser: "admin",
      query: ProtectedQuery,
      detail: operation(
        "Mail",
        "Send at once all mail that failed, but for a recipient (superusers)",
        200,
        "MailCount",
        bodyErrors,
      ),
    })
    .post(
      "/api/v1/mail/test",
      async ({ caller, actor, status }) => status(201, mailView(await mailQueue.sendTest(actor, caller.user))),
      {
        superuser: "admin",
        query: ProtectedQuery,
        detail: operation("Mail", "Send a mail to oneself (superusers)", 201, "QueuedMail", [
          "no_email",
          ...bodyErrors,
        ]),
      },
    )
    .post(
      "/api/v1/mail/:id/retry",
      async ({ actor, mail }) => ({
        count: await mailQueue.retry(actor, mail),
      }),
      {
        toMail: "admin",
        ...byId,
        detail: operation("Mail", "Send a mail at once that waits or was given up (superusers)", 200, "MailCount", [
          ...bodyErrors,
        ]),
      },
    )
}

export const mailComponents = {
  QueuedMail: Type.Object({
    id: Type.Integer(),
    kind: Type.String({ description: "such as `reset_mail` or `invitation`" }),
    to: nullableText("address; null when nobody has it any more"),
    state: Type.Union(mailStates.map((state) => Type.Literal(state))),
    attempts: Type.Integer({ description: "how many have begun" }),
    last_answer: nullableText("what the mail server said, or why it was not reached; null before the first attempt"),
    cause: Type.Union([...failureCauses.map((cause) => Type.Literal(cause)), Type.Null()], {
      description:
        "`operator`: somebody has to correct settings or the account at the mail server; `recipient`: nobody has this " +
        "address; `unreachable`: the mail server is not reached, or asks to try later; null before the first attempt",
    }),
    cure: nullableText("what somebody who runs the server can do"),
    next_at: dateOrNull("UTC; when the next attempt is due; null for mail that was given up"),
  }),
  AccountLinks: Type.Object({
    items: Type.Array(Type.Object({ username: Type.String(), name: Type.String(), url: Type.String() }), {
      description: "empty where mail is sent, and at most 100",
    }),
  }),
  MailPage: pageOf("QueuedMail"),
  MailCount: Type.Object({ count: Type.Integer({ description: "how many mails are sent at once" }) }),
}

const mailView = ({ id, kind, to, state, attempts, lastAnswer, cause, cure, nextAt }: QueuedMail) => ({
  id,
  kind,
  to,
  state,
  attempts,
  last_answer: lastAnswer,
  cause,
  cure,
  next_at: utcOrNull(nextAt),
})
