import { addresses } from "../../addresses.ts"
import { toGiveBox } from "../../palette/give.ts"
import { me } from "../../session.ts"
import { t } from "../../texts/texts.ts"

/** What stands where no recognition is yet: what comes next. */
export function FirstSteps() {
  const { home } = t()
  if (me.value?.role !== "superuser") return <p class="py-6 text-muted">{home.empty}</p>
  const steps = [
    { title: home.createPeople, text: home.createPeopleText, address: `${addresses.admin}/people` },
    { title: home.giveFirst, text: home.giveFirstText, address: addresses.home, onClick: toGiveBox },
    { title: home.putUpWall, text: home.putUpWallText, address: addresses.wall },
  ]
  return (
    <div class="grid gap-4 py-5">
      <p class="text-muted">{home.emptyAdmin}</p>
      <ol class="grid gap-5">
        {steps.map(({ title, text, address, onClick }, index) => (
          <li key={title} class="grid grid-cols-[auto_1fr] gap-x-3.5">
            <span
              class="grid size-7 place-content-center rounded-full bg-primary/10 text-sm font-medium text-primary tabular-nums"
              aria-hidden="true"
            >
              {index + 1}
            </span>
            <div class="grid gap-0.5 pt-0.5">
              <a href={address} onClick={onClick} class="link link-hover justify-self-start font-medium text-primary">
                {title}
              </a>
              <p class="text-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
