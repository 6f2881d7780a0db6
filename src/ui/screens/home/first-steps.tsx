import { Check } from "lucide"
import { fill } from "../../../languages/writing.ts"
import { accountAddress, addresses } from "../../addresses.ts"
import { focusTransferBox } from "../../palette/commands.ts"
import { Icon } from "../../parts/icon.tsx"
import { useDepartments } from "../../people.ts"
import { account, me } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { wasWallShown } from "../wall/shown-here.ts"

/** What a superuser does first. Steps that are done are ticked, whoever did them; the wall once this browser has shown it. */
export function FirstSteps() {
  const { home } = t()
  const departments = useDepartments(null).data?.items ?? []
  const people = departments.reduce((sum, one) => sum + one.people, 0)
  const email = account.value?.email ?? ""
  const steps = [
    {
      title: home.nameAddress,
      text: fill(home.nameAddressText, { email }),
      address: accountAddress(me.value?.username ?? ""),
      isDone: account.value !== null && !email.endsWith("@localhost"),
    },
    { title: home.createPeople, text: home.createPeopleText, address: addresses.admin, isDone: people > 1 },
    {
      title: home.giveFirst,
      text: home.giveFirstText,
      address: addresses.home,
      onClick: focusTransferBox,
      isDone: (account.value?.granted_this_month ?? 0) > 0,
    },
    { title: home.putUpWall, text: home.putUpWallText, address: addresses.wall, isDone: wasWallShown() },
  ]
  return (
    <div class="grid gap-4 py-5">
      <p class="text-muted">{home.emptyAdmin}</p>
      <ol class="grid gap-5">
        {steps.map(({ title, text, address, onClick, isDone }, index) => (
          <li key={title} class="grid grid-cols-[auto_1fr] gap-x-3.5">
            <span
              class={`grid size-7 place-content-center rounded-full text-sm font-medium tabular-nums ${isDone ? "bg-primary text-primary-content" : "bg-primary/10 text-primary"}`}
              aria-hidden="true"
            >
              {isDone ? <Icon of={Check} class="size-4" /> : index + 1}
            </span>
            <div class="grid gap-0.5 pt-0.5">
              <a href={address} onClick={onClick} class="link link-hover justify-self-start font-medium text-primary">
                {title}
                {isDone && <span class="sr-only"> ({home.stepDone})</span>}
              </a>
              {!isDone && <p class="text-sm text-muted">{text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
