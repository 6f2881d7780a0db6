import { type Signal, useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { accountAddress } from "../../addresses.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Dialog, DialogButtons } from "../../parts/dialog.tsx"
import { Form, FormField, useForm } from "../../parts/form.tsx"
import { adminUsername } from "../../people.ts"
import { isSuperuser } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { me, refreshAccount } from "../../session.ts"
import { formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { type AccountData, accountNotice } from "./account-parts.tsx"

type Act = "deactivate" | "reactivate" | "returnPoints" | "erase"

interface DeactivationProps {
  readonly of: AccountData
  readonly onChange: () => Promise<void>
}

/** Deactivates an account; reactivates or erases a deactivated one. */
export function Deactivation({ of, onChange }: DeactivationProps) {
  const { leaving } = t()
  /** The open question, with the account as it was when the question opened, so that no figure in it changes. */
  const asks = useSignal<{ readonly act: Act; readonly of: AccountData } | null>(null)
  const close = () => {
    asks.value = null
  }
  const ask = (act: Act) => () => {
    asks.value = { act, of }
  }
  const done = async (message: string) => {
    close()
    accountNotice.value = { username: of.username, message }
    void refreshAccount()
    await onChange()
  }
  if (of.username === adminUsername || of.username === me.value?.username) return null
  return (
    <section class="mt-10 max-w-md border-t border-line pt-6">
      <h2 class="font-medium">{of.active ? leaving.title : leaving.titleInactive}</h2>
      <p class="mt-1 text-sm text-muted">
        {of.active ? (isSuperuser() ? leaving.lead : leaving.leadWithoutErasure) : leaving.leadInactive}
      </p>
      <p class="mt-4 flex flex-wrap gap-2">
        {of.active && (
          <Button look="plain" onClick={ask("deactivate")}>
            {leaving.deactivate}
          </Button>
        )}
        {!of.active && (
          <Button look="plain" onClick={ask("reactivate")}>
            {leaving.reactivate}
          </Button>
        )}
        {!of.active && of.balance > 0 && (
          <Button look="plain" onClick={ask("returnPoints")}>
            {leaving.returnPoints}
          </Button>
        )}
        {!of.active && isSuperuser() && (
          <Button look="danger" onClick={ask("erase")}>
            {leaving.erase}
          </Button>
        )}
      </p>
      {asks.value?.act === "deactivate" && <DeactivationQuestion of={asks.value.of} onClose={close} onDone={done} />}
      {asks.value?.act === "reactivate" && <ReactivationQuestion of={asks.value.of} onClose={close} onDone={done} />}
      {asks.value?.act === "returnPoints" && <PointsReturnQuestion of={asks.value.of} onClose={close} onDone={done} />}
      {asks.value?.act === "erase" && <ErasureQuestion of={asks.value.of} onClose={close} />}
    </section>
  )
}

interface QuestionProps {
  readonly of: AccountData
  readonly onClose: () => void
  readonly onDone: (message: string) => Promise<void>
}

function DeactivationQuestion({ of, onClose, onDone }: QuestionProps) {
  const { leaving } = t()
  const returnsPoints = useSignal(false)
  const values = { name: of.name, points: formatPoints(of.balance) }
  return (
    <Question
      title={fill(leaving.deactivateTitle, values)}
      of={of}
      answer={leaving.deactivate}
      change={{ active: false, return_points: returnsPoints.value }}
      message={fill(returnsPoints.value ? leaving.deactivatedReturned : leaving.deactivated, values)}
      onClose={onClose}
      onDone={onDone}
    >
      <Effects of={[leaving.endsAccess, leaving.leavesLists, leaving.keepsHistory]} />
      {of.balance > 0 && (
        <Check checked={returnsPoints} label={fill(leaving.returnLeft, values)}>
          {returnsPoints.value ? leaving.returnLeftLead : leaving.keepLeftLead}
        </Check>
      )}
    </Question>
  )
}

function ReactivationQuestion({ of, onClose, onDone }: QuestionProps) {
  const { leaving } = t()
  return (
    <Question
      title={fill(leaving.reactivateTitle, { name: of.name })}
      of={of}
      answer={leaving.reactivate}
      change={{ active: true }}
      message={fill(leaving.reactivated, { name: of.name })}
      onClose={onClose}
      onDone={onDone}
    >
      <p class="text-sm text-muted">{leaving.reactivateLead}</p>
    </Question>
  )
}

function PointsReturnQuestion({ of, onClose, onDone }: QuestionProps) {
  const { leaving } = t()
  const values = { name: of.name, points: formatPoints(of.balance) }
  return (
    <Question
      title={fill(leaving.returnTitle, values)}
      of={of}
      answer={leaving.returnPoints}
      change={{ active: false, return_points: true }}
      message={fill(leaving.returned, values)}
      onClose={onClose}
      onDone={onDone}
    >
      <p class="text-sm text-muted">{leaving.returnLeftLead}</p>
    </Question>
  )
}

interface QuestionDialogProps extends QuestionProps {
  readonly title: string
  readonly answer: string
  readonly change: { readonly active: boolean; readonly return_points?: boolean }
  /** The message after the change. */
  readonly message: string
  readonly children: ComponentChildren
}

/** Asks for confirmation, then changes the account. */
function Question({ title, of, answer, change, message, onClose, onDone, children }: QuestionDialogProps) {
  const refusal = useSignal<string | null>(null)
  const { busy, run } = useAction(async () => {
    refusal.value = null
    const outcome = await request(api.api.v1.users({ username: of.username }).patch(change))
    if (outcome.kind === "done") await onDone(message)
    else refusal.value = messageOf(outcome)
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form refusal={refusal.value} onSubmit={run}>
        <Whom of={of} />
        {children}
        <DialogButtons onClose={onClose}>
          <Button busy={busy.value} isFirst>
            {answer}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}

const reasonsToErase = ["none", "written", "all"] as const

/** Shows everything that an erasure does, and asks for the username. */
function ErasureQuestion({ of, onClose }: Pick<QuestionProps, "of" | "onClose">) {
  const { leaving } = t()
  const { route } = useLocation()
  const form = useForm(["username"])
  const reasons = useSignal<(typeof reasonsToErase)[number]>("none")
  const { username, name } = of
  const { busy, run } = useAction(async () => {
    form.clear()
    if (form.of("username") !== username) form.fail("username", fill(leaving.wrongUsername, { username }))
    if (form.isWrong()) return
    const answer = await request(api.api.v1.users({ username }).erasure.post({ reasons: reasons.value }))
    if (answer.kind !== "done") return form.refuse(answer)
    accountNotice.value = { username: answer.data.username, message: fill(leaving.erased, { name }) }
    route(accountAddress(answer.data.username), true)
  })
  return (
    <Dialog title={fill(leaving.eraseTitle, { name })} onClose={onClose}>
      <Form refusal={form.refusal.value} onSubmit={run}>
        <Whom of={of} />
        <Effects
          of={[
            leaving.erasesIdentity,
            leaving.erasesProfile,
            of.balance > 0
              ? fill(leaving.keepsPoints, { points: formatPoints(of.balance) })
              : leaving.keepsTransactions,
          ]}
        />
        <fieldset class="grid gap-1">
          <legend class="mb-1 text-sm font-medium">{leaving.reasons}</legend>
          {reasonsToErase.map((one) => (
            <label key={one} class="flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
              <input
                type="radio"
                name="reasons"
                class="size-4 shrink-0 accent-primary"
                checked={reasons.value === one}
                onChange={() => {
                  reasons.value = one
                }}
              />
              {fill(leaving.reasonsOf[one], { name })}
            </label>
          ))}
        </fieldset>
        <p class="text-sm font-medium text-error">{leaving.eraseFinal}</p>
        <FormField
          label={fill(leaving.typeUsername, { username })}
          of={form.fields.username}
          autoComplete="off"
          autoCapitalize="none"
        />
        <DialogButtons onClose={onClose}>
          <Button look="danger" busy={busy.value}>
            {leaving.eraseConfirm}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}

function Whom({ of: { name, username, dept, avatar } }: { of: AccountData }) {
  return (
    <p class="flex items-center gap-3">
      <Avatar name={name} username={username} src={avatar} />
      <span class="min-w-0">
        <span dir="auto" class="block font-medium">
          {name}
        </span>
        <span class="block text-sm text-muted">
          <bdi>{username}</bdi> · <bdi>{dept}</bdi>
        </span>
      </span>
    </p>
  )
}

const Effects = ({ of }: { of: readonly string[] }) => (
  <ul class="grid list-disc gap-1.5 ps-5 text-sm text-muted">
    {of.map((one) => (
      <li key={one}>{one}</li>
    ))}
  </ul>
)

interface CheckProps {
  readonly checked: Signal<boolean>
  readonly label: string
  readonly children: string
}

function Check({ checked, label, children }: CheckProps) {
  return (
    <label class="flex min-h-11 cursor-pointer items-start gap-3">
      <input
        type="checkbox"
        class="checkbox checkbox-primary mt-0.5"
        checked={checked}
        onChange={(event) => {
          checked.value = event.currentTarget.checked
        }}
      />
      <span>
        <span class="block">{label}</span>
        <span class="block text-sm text-muted">{children}</span>
      </span>
    </label>
  )
}
