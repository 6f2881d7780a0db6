import { useLayoutEffect } from "preact/hooks"
import { addresses, withQuery } from "../addresses.ts"
import type { FeedList } from "../feed/feed-list.ts"
import { Entry } from "../feed/recognition.tsx"
import type { Thanks } from "../feed/recognition-groups.ts"
import { wakeAll } from "../server/retry.ts"
import { me } from "../session.ts"
import { t } from "../texts/texts.ts"
import { type Act, forget, forgetGiven, outbox } from "./outbox.ts"
import { departmentOf, personsOf } from "./transfer.ts"

/** The feed tells by itself what was given; when it does not within this time, it is asked. */
const patienceMs = 800

/** What is on its way and belongs into this list: all of it, or what concerns one person. */
export function useOnTheWay(username: string | undefined, list: FeedList): readonly Act[] {
  const acts = outbox.value.filter(
    (act) =>
      act.username === me.value?.username && !act.isInFeed && (username === undefined || concerns(act, username)),
  )
  const given = acts.filter(({ state }) => state.kind === "given").length
  useLayoutEffect(() => {
    if (given === 0) return
    const timer = setTimeout(() => void catchUp(list), patienceMs)
    return () => clearTimeout(timer)
  }, [given, list])
  return acts
}

async function catchUp(list: FeedList) {
  await list.load()
  if (list.failure.value === null) forgetGiven()
}

export function OnTheWay({ acts }: { acts: readonly Act[] }) {
  return acts.map((act) => (
    <li key={act.key}>
      <Entry of={thanksFor(act)} state={<State of={act} />} />
    </li>
  ))
}

function State({ of: act }: { of: Act }) {
  const { give } = t()
  if (act.state.kind === "sending") return <span>{give.sending}</span>
  const isExpired = act.state.kind === "expired"
  return (
    <span role="alert" class="flex flex-wrap gap-x-3 gap-y-1 text-sm text-warning">
      {isExpired ? give.expired : give.unknown}
      <a href={historyOf(act)} class="link pointer-coarse:py-3">
        {give.lookUp}
      </a>
      <button type="button" class="link pointer-coarse:py-3" onClick={isExpired ? () => forget(act) : wakeAll}>
        {isExpired ? give.forget : give.tryAgain}
      </button>
    </span>
  )
}

/** The history where the gift stands if it arrived: what this person gave, to one receiver when there is only one. */
function historyOf({ gift, username }: Act): string {
  const [one, another] = gift.to
  const receiver = one?.kind === "person" && another === undefined ? one.username : undefined
  return withQuery(addresses.history, { from_user: username, user: receiver })
}

function thanksFor({ key, gift, username, state }: Act): Thanks {
  const department = departmentOf(gift)
  return {
    ...gift,
    key,
    from: { username, name: me.value?.name ?? "", avatar: me.value?.avatar ?? null },
    to: personsOf(gift),
    ...(department !== null && { dept: department.name }),
    reason: gift.reason === "" ? null : gift.reason,
    date: state.kind === "given" ? state.date : null,
  }
}

const concerns = ({ gift, username }: Act, person: string): boolean =>
  username === person || personsOf(gift).some((one) => one.username === person)
