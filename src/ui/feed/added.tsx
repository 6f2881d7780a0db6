import { useSignal } from "@preact/signals"
import { Ellipsis } from "lucide"
import { useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import type { Recognition } from "../live.ts"
import { Icon } from "../parts/icon.tsx"
import { retryNow } from "../server/retry.ts"
import { account, me, programme } from "../session.ts"
import { formatNames, formatNumber, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { amounts } from "../transfer/amounts.ts"
import {
  addedTo,
  additionRefusals,
  addPoints,
  type PendingAddition,
  pendingAdditionTo,
  removeAddition,
} from "./additions.ts"

/** Points that one tap adds. */
const quickAmount = 5

/** What others added to a recognition, and buttons to add more. Parts of a line. */
export function Added({ to }: { to: Recognition }) {
  const { value, count, own } = addedTo(to)
  const pending = pendingAdditionTo(to.id)
  const refusal = additionRefusals.value.get(to.id)
  return (
    <>
      {count > 0 && (
        <span data-added={value}>
          <span class="font-semibold text-primary tabular-nums">+{value !== null && formatNumber(value)}</span>{" "}
          {addersOf(count, own)}
        </span>
      )}
      {pending === null ? <AddButtons to={to} /> : <Pending of={pending} />}
      {refusal !== undefined && (
        <span role="alert" class="text-error">
          {refusal}
        </span>
      )}
    </>
  )
}

function addersOf(count: number, own: boolean): string {
  const { feed } = t()
  if (!own) return formatPlural(count, feed.addedBy)
  return count === 1 ? feed.addedByYou : formatPlural(count - 1, feed.addedByYouAnd)
}

/** The amounts that the user can add; none to one's own recognitions, to private ones, and to what was taken back. */
function amountsFor({ private: isPrivate, from_username, receivers, occasion }: Recognition): readonly number[] {
  const own = account.value
  const left = receivers.filter((one) => !one.taken_back)
  const isOwn =
    (occasion === null && from_username === me.value?.username) ||
    receivers.some(({ username }) => username === me.value?.username)
  if (own === null || isPrivate || isOwn || left.length === 0) return []
  const most = Math.min(own.to_give / left.length, programme.value?.most_to_one.points ?? own.to_give)
  const canAfford = (amount: number) => own.role === "superuser" || amount <= most
  return [...new Set([quickAmount, ...amounts.value])].filter(canAfford)
}

/** A button for a few points, and one that opens the other amounts. Escape closes them. */
function AddButtons({ to }: { to: Recognition }) {
  const isOpen = useSignal(false)
  const opener = useRef<HTMLButtonElement>(null)
  const group = useRef<HTMLFieldSetElement>(null)
  const { feed } = t()
  const [first, ...others] = amountsFor(to)
  useLayoutEffect(() => {
    if (isOpen.value) group.current?.querySelector("button")?.focus()
  }, [isOpen.value])
  if (first === undefined) return null
  return (
    <span class="inline-flex flex-wrap items-center gap-1 print:hidden">
      <AmountButton to={to} amount={first} />
      {others.length > 0 && (
        <button
          ref={opener}
          type="button"
          class="btn btn-ghost btn-xs btn-square text-muted pointer-coarse:size-11"
          aria-label={feed.otherAmounts}
          title={feed.otherAmounts}
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon of={Ellipsis} class="size-4" />
        </button>
      )}
      {isOpen.value && (
        <fieldset
          ref={group}
          aria-label={feed.otherAmounts}
          class="inline-flex flex-wrap gap-1"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return
            event.stopPropagation()
            isOpen.value = false
            opener.current?.focus()
          }}
        >
          {others.map((amount) => (
            <AmountButton key={amount} to={to} amount={amount} />
          ))}
        </fieldset>
      )}
    </span>
  )
}

function AmountButton({ to, amount }: { to: Recognition; amount: number }) {
  const names = formatNames(to.receivers.map(({ name }) => name))
  const label = fill(t().feed.add, { points: formatPoints(amount), names })
  return (
    <button
      type="button"
      class="inline-flex min-h-7 cursor-pointer items-center rounded-full border border-line bg-base-100 px-2 text-muted tabular-nums hover:border-primary hover:text-primary pointer-coarse:min-h-11 pointer-coarse:px-3"
      aria-label={label}
      title={label}
      onClick={() => addPoints(to.id, amount)}
    >
      +{formatNumber(amount)}
    </button>
  )
}

/** Points that are not recorded yet: with Undo until they are sent. */
function Pending({ of: addition }: { of: PendingAddition }) {
  const { feed, give } = t()
  const { state, value } = addition
  const undo = useRef<HTMLButtonElement>(null)
  // The button that was tapped is gone.
  useLayoutEffect(() => undo.current?.focus(), [])
  const states = { held: feed.adding, sending: give.sending, unknown: give.unknown, expired: give.expired }
  const actions = {
    held: { text: feed.undo, run: () => removeAddition(addition) },
    sending: null,
    unknown: { text: give.tryAgain, run: retryNow },
    expired: { text: give.forget, run: () => removeAddition(addition) },
  }
  const isUncertain = state === "unknown" || state === "expired"
  const action = actions[state]
  return (
    <span class={`inline-flex flex-wrap items-center gap-x-2 ${isUncertain ? "text-warning" : ""}`}>
      <span role={isUncertain ? "alert" : "status"}>
        {state === "held" ? "" : `+${formatNumber(value)} · `}
        {fill(states[state], { points: formatPoints(value) })}
      </span>
      {action !== null && (
        <button ref={undo} type="button" class="link font-medium text-primary pointer-coarse:py-3" onClick={action.run}>
          {action.text}
        </button>
      )}
    </span>
  )
}
