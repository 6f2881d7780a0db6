import { useLayoutEffect } from "preact/hooks"
import { Entry } from "../feed/entry.tsx"
import type { FeedList } from "../feed/list.ts"
import type { Thanks } from "../feed/thanks.ts"
import { me } from "../session.ts"
import { t } from "../texts/texts.ts"
import { departmentOf, personsOf } from "./gift.ts"
import { type Act, forget, forgetGiven, outbox } from "./outbox.ts"
import { wakeAll } from "./wakened.ts"

/** The feed tells by itself what was given; when it does not within this time, it is asked. */
const patienceMs = 800

/** What is on its way and belongs into this list: all of it, or what concerns one person. */
export function useOnTheWay(username: string | undefined, list: FeedList): readonly Act[] {
  const acts = outbox.value.filter((act) => username === undefined || concerns(act, username))
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
    <span role="alert" class="text-sm text-warning">
      {give.unknown}{" "}
      <button type="button" class="link pointer-coarse:py-3" onClick={isExpired ? () => forget(act) : wakeAll}>
        {isExpired ? give.forget : give.tryAgain}
      </button>
    </span>
  )
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
