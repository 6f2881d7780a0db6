import { useSignal } from "@preact/signals"
import { Download } from "lucide"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, withQuery } from "../../addresses.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Choice } from "../../parts/choice.tsx"
import { Dialog, DialogButtons } from "../../parts/dialog.tsx"
import { Form, Notice, TextArea } from "../../parts/form.tsx"
import { Icon } from "../../parts/icon.tsx"
import { api, type Failure, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { requestOnce } from "../../server/once.ts"
import { me, refreshAccount } from "../../session.ts"
import { cellSeparator, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import {
  maxTextLength,
  type Redemption,
  RedemptionPages,
  RedemptionText,
  useRedemptions,
} from "../rewards/catalogue.tsx"

const states = ["requested", "fulfilled", "declined"] as const

/** What the dialog asks before it answers requests. */
interface Question {
  readonly act: "fulfil" | "decline"
  readonly redemptions: readonly Redemption[]
}

/** People's requests for rewards, with buttons to answer one or several at once. */
export function Requests() {
  const { rewardAdmin, rewards } = t()
  const { query } = useLocation()
  const state = states.find((known) => known === query.state) ?? "requested"
  const page = useRedemptions({ state, ...(query.before !== undefined && { before: query.before }) })
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const asking = useSignal<Question | null>(null)
  const notice = useSignal<string | null>(null)
  const isOpen = state === "requested"
  const items = page.data?.items ?? []
  const answerable = items.filter(({ username }) => username !== me.value?.username)
  const selected = answerable.filter(({ id }) => chosen.value.has(id))
  const address = (values: { readonly before?: string }) =>
    withQuery(addresses.adminRewards, { ...(!isOpen && { state }), ...values })

  const choose = (ids: readonly number[], isChosen: boolean) => {
    const next = new Set(chosen.value)
    for (const id of ids) isChosen ? next.add(id) : next.delete(id)
    chosen.value = next
  }
  const answered = (count: number, left: readonly Redemption[]) => {
    const { value: asked } = asking
    asking.value = asked === null || left.length === 0 ? null : { ...asked, redemptions: left }
    chosen.value = new Set(left.map(({ id }) => id))
    notice.value = formatPlural(count, rewardAdmin.answered)
    void Promise.all([page.refresh(), refreshAccount()])
  }

  return (
    <section class="mt-6">
      <div class="flex flex-wrap items-center justify-between gap-2">
        <h2 class="text-sm font-medium text-muted">{rewardAdmin.requests}</h2>
        <Choice
          label={rewardAdmin.requests}
          chosen={address({})}
          options={states.map((one) => ({
            name: rewards.states[one],
            address: withQuery(addresses.adminRewards, { ...(one !== "requested" && { state: one }) }),
          }))}
        />
      </div>
      {notice.value !== null && <Notice kind="info">{notice.value}</Notice>}
      {isOpen && answerable.length > 0 && (
        <div class="mt-2 flex flex-wrap items-center gap-3">
          <label class="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              class="checkbox"
              checked={selected.length === answerable.length}
              onChange={({ currentTarget }) =>
                choose(
                  answerable.map(({ id }) => id),
                  currentTarget.checked,
                )
              }
            />
            {rewardAdmin.selectAll}
          </label>
          {selected.length > 0 && <Answers of={selected} onAsk={(question) => (asking.value = question)} />}
        </div>
      )}
      <RedemptionPages of={page} address={address} empty={rewardAdmin.noRequests}>
        {(redemption) => (
          <div class="flex flex-wrap items-center gap-3">
            {isOpen && answerable.includes(redemption) && (
              <label class="grid min-h-11 place-content-center">
                <input
                  type="checkbox"
                  class="checkbox"
                  aria-label={fill(rewardAdmin.select, { name: redemption.name, reward: redemption.reward_name })}
                  checked={chosen.value.has(redemption.id)}
                  onChange={({ currentTarget }) => choose([redemption.id], currentTarget.checked)}
                />
              </label>
            )}
            <div class="min-w-40 flex-1">
              <RedemptionText of={redemption} by={<span dir="auto">{redemption.name}:</span>} />
            </div>
            {isOpen && answerable.includes(redemption) && selected.length === 0 && (
              <Answers of={[redemption]} onAsk={(question) => (asking.value = question)} />
            )}
            {isOpen && !answerable.includes(redemption) && <p class="text-sm text-muted">{rewardAdmin.ownRequest}</p>}
          </div>
        )}
      </RedemptionPages>
      <a
        href={withQuery("/api/v1/redemptions.csv", { separator: cellSeparator() })}
        download
        class="-mx-3 mt-2 inline-flex min-h-11 items-center gap-3.5 rounded-field px-3 hover:bg-base-300/50"
      >
        <Icon of={Download} class="size-5 text-muted" />
        {rewardAdmin.download}
      </a>
      {asking.value !== null && (
        <AnswerDialog of={asking.value} onClose={() => (asking.value = null)} onDone={answered} />
      )}
    </section>
  )
}

interface AnswersProps {
  readonly of: readonly Redemption[]
  readonly onAsk: (question: Question) => void
}

function Answers({ of: redemptions, onAsk }: AnswersProps) {
  const { rewardAdmin } = t()
  return (
    <span class="flex gap-2">
      <Button look="plain" onClick={() => onAsk({ act: "fulfil", redemptions })}>
        {rewardAdmin.fulfil}
      </Button>
      <Button look="quiet" onClick={() => onAsk({ act: "decline", redemptions })}>
        {rewardAdmin.decline}
      </Button>
    </span>
  )
}

interface AnswerDialogProps {
  readonly of: Question
  readonly onClose: () => void
  /** Called with the number of answered requests, and with the requests that are left after a failure. */
  readonly onDone: (count: number, left: readonly Redemption[]) => void
}

function AnswerDialog({ of: { act, redemptions }, onClose, onDone }: AnswerDialogProps) {
  const { rewardAdmin } = t()
  const answer = useSignal("")
  const refusal = useSignal<string | null>(null)
  const { busy, run } = useAction(async () => {
    refusal.value = null
    for (const [count, redemption] of redemptions.entries()) {
      const failure = await answerTo(redemption, act, answer.value.trim())
      if (failure !== null) {
        refusal.value = messageOf(failure)
        if (count > 0) onDone(count, redemptions.slice(count))
        return
      }
    }
    onDone(redemptions.length, [])
  })

  return (
    <Dialog
      title={formatPlural(redemptions.length, act === "fulfil" ? rewardAdmin.fulfilTitle : rewardAdmin.declineTitle)}
      onClose={onClose}
    >
      <ul class="text-sm text-muted">
        {redemptions.slice(0, maxNamed).map(({ id, name, reward_name: reward }) => (
          <li key={id} dir="auto">
            {name}: {reward}
          </li>
        ))}
        {redemptions.length > maxNamed && <li>…</li>}
      </ul>
      {act === "decline" && <p>{rewardAdmin.declineLead}</p>}
      <Form refusal={refusal.value} onSubmit={run}>
        <TextArea label={rewardAdmin.answer} value={answer} max={maxTextLength} rows={3} />
        <DialogButtons onClose={onClose}>
          <Button busy={busy.value}>{act === "fulfil" ? rewardAdmin.fulfil : rewardAdmin.decline}</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}

/** How many requests the dialog names. */
const maxNamed = 5

/** Fulfils or declines a request. Returns null on success, also if the request had already been answered. */
async function answerTo({ id }: Redemption, act: Question["act"], words: string): Promise<Failure | null> {
  const redemption = api.api.v1.redemptions({ id: String(id) })
  const body = { answer: words }
  const answer = await requestOnce(`${act} ${id}`, (sent) =>
    request(act === "fulfil" ? redemption.fulfilment.post(body, sent) : redemption.rejection.post(body, sent)),
  )
  const isAnswered = answer.kind === "refused" && (answer.code === "not_requested" || answer.code === "key_reused")
  return answer.kind === "done" || isAnswered ? null : answer
}
