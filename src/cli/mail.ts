import { DomainError } from "../domain/errors.ts"
import { mailStates, type QueuedMail } from "../domain/jobs/ports.ts"
import { maxPageSize } from "../domain/paging.ts"
import { withOperator } from "./support/app.ts"
import { idArg, option } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { isoTime, json, table, visible } from "./support/terminal.ts"

const columns = ["id", "state", "kind", "to", "attempts", "cause", "last_answer", "next_at"] as const

/** Lists the mail that is not sent (docs/interface/command-line.md). */
export const mailList = command({
  name: "mail list",
  description: "List the mail that waits or was given up, and why",
  example: "rewards mail list --state discarded",
  args: { state: option(mailStates.join("|"), "Only mail in this state"), ...jsonArg, ...fileArgs },
  async run({ state, ...args }, context) {
    const found = await withOperator(context, args, async ({ mailQueue }, by) => {
      const all: QueuedMail[] = []
      for (let before: number | undefined; ; ) {
        const { items, next } = await mailQueue.page(by, { state, before, size: maxPageSize })
        all.push(...items)
        if (next === null) return all
        before = next
      }
    })
    const items = found.map(shown)
    const rows = items.map((item) => columns.map((column) => visible(`${item[column] ?? ""}`)))
    await context.print(args.json ? json(items) : table(columns, rows))
  },
})

/** Sends mail again that waits or was given up. */
export const mailRetry = command({
  name: "mail retry",
  description: "Send mail at once that waits or was given up; without an id all that failed, but for a recipient",
  example: "rewards mail retry",
  args: {
    id: { ...idArg("a mail"), required: false },
    ...fileArgs,
  },
  async run({ id, ...args }, context) {
    const count = await withOperator(context, args, async ({ store, mailQueue }, by) => {
      if (id === undefined) return mailQueue.retryAll(by)
      const mail = await store.jobs.mailWith(Number(id))
      if (mail === null) throw new DomainError("mail_not_found")
      return mailQueue.retry(by, mail)
    })
    await context.print(`${count === 1 ? "1 mail is" : `${count} mails are`} due now; \`rewards serve\` sends them`)
  },
})

const shown = ({ lastAnswer, nextAt, ...mail }: QueuedMail) => ({
  ...mail,
  last_answer: lastAnswer,
  next_at: nextAt === null ? null : isoTime(nextAt),
})
