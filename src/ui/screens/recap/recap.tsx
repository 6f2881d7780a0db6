import { ChevronLeft, ChevronRight, Image, Printer } from "lucide"
import { useLocation, useRoute } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, withQuery } from "../../addresses.ts"
import { serviceToday } from "../../dates.tsx"
import { focusTransferBox } from "../../palette/commands.ts"
import { Button } from "../../parts/button.tsx"
import { Choice } from "../../parts/choice.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Empty, LoadFailure, Missing, Skeleton } from "../../parts/placeholders.tsx"
import { hasDuty } from "../../rights.ts"
import { type ScreenLocation, serviceName, useTitle } from "../../screen.ts"
import { me } from "../../session.ts"
import { language, t } from "../../texts/texts.ts"
import { firstDayOf, nameOf, neighbour, type Period, periodNamed, periodOn, periodText, units } from "./period.ts"
import { Poster } from "./poster.tsx"
import { type Asked, type Scope, scopes, useRecap } from "./query.ts"

/** What an address asks for; null when its period is none. */
function askedIn({ params: { period: name }, query }: ScreenLocation): Asked | null {
  const period = name === undefined ? periodOn("quarter", serviceToday()) : periodNamed(name)
  return period && { period, of: query.of === "company" && hasDuty("insights") ? "company" : "own" }
}

/** A month, a quarter or a year on one page that is made to be shown: of oneself, or of the company. */
export function Recap() {
  const { params } = useRoute()
  const { query } = useLocation()
  const asked = askedIn({ params, query })
  return asked === null ? <Missing /> : <RecapPage {...asked} />
}

Recap.prefetch = async (location: ScreenLocation) => {
  const asked = askedIn(location)
  return asked && useRecap.prefetch(asked)
}

function RecapPage(asked: Asked) {
  const { recap } = t()
  const { data, failure, isStale, refresh } = useRecap(asked)
  const heading = asked.of === "company" ? serviceName : (me.value?.name ?? "")
  useTitle(`${recap.title}: ${periodText(asked.period)}`)
  return (
    <>
      <div class="print:hidden">
        <h1 class="text-xl font-semibold tracking-tight">{recap.title}</h1>
        <Choices {...asked} />
      </div>
      <div class="mt-4 print:mt-0" aria-busy={isStale}>
        {failure !== null ? (
          <LoadFailure failure={failure} onRetry={refresh} />
        ) : data === null ? (
          <Skeleton class="h-[40rem] w-full rounded-box" />
        ) : data.received.count + data.given.count === 0 ? (
          <Nothing />
        ) : (
          <>
            <Poster of={data} title={heading} period={asked.period} />
            <p class="mt-4 flex flex-wrap gap-2 print:hidden">
              <Button look="plain" onClick={() => print()}>
                <Icon of={Printer} class="size-4" />
                {recap.print}
              </Button>
              <a
                class="btn btn-outline h-auto min-h-(--size) max-w-full border-line font-medium whitespace-normal"
                href={pictureOf(asked)}
                download
              >
                <Icon of={Image} class="size-4" />
                {recap.picture}
              </a>
            </p>
          </>
        )}
      </div>
    </>
  )
}

/** The address of the same look back as a picture, in the language of the page. */
const pictureOf = ({ period, of }: Asked): string =>
  withQuery(of === "company" ? "/api/v1/recap/company.png" : "/api/v1/recap.png", {
    period: nameOf(period),
    language: language.value,
  })

/** Month, quarter or year; the one before and the one after; and whose. */
function Choices({ period, of }: Asked) {
  const { recap } = t()
  const today = serviceToday()
  const isPresent = nameOf(periodOn(period.unit, today)) === nameOf(period)
  const addressOf = (other: Period, scope: Scope = of) =>
    withQuery(`${addresses.recap}/${nameOf(other)}`, { of: scope === "company" ? scope : undefined })
  const day = isPresent ? today : firstDayOf(period)
  return (
    <>
      <div class="mt-4 flex flex-wrap justify-between gap-x-8 gap-y-1">
        <Choice
          label={recap.unit}
          options={units.map((unit) => ({ name: recap.units[unit], address: addressOf(periodOn(unit, day)) }))}
          chosen={addressOf(period)}
        />
        {hasDuty("insights") && (
          <Choice
            label={recap.whose}
            options={scopes.map((scope) => ({ name: recap.scopes[scope], address: addressOf(period, scope) }))}
            chosen={addressOf(period)}
          />
        )}
      </div>
      <nav aria-label={recap.neighbours} class="mt-2 flex items-center gap-1">
        <Step to={neighbour(period, -1)} label={recap.before} icon={ChevronLeft} addressOf={addressOf} />
        <span class="min-w-[min(11rem,60%)] text-center font-medium">{periodText(period)}</span>
        {!isPresent && <Step to={neighbour(period, 1)} label={recap.after} icon={ChevronRight} addressOf={addressOf} />}
      </nav>
    </>
  )
}

interface StepProps {
  readonly to: Period
  readonly label: string
  readonly icon: typeof ChevronLeft
  readonly addressOf: (period: Period) => string
}

function Step({ to, label, icon, addressOf }: StepProps) {
  const text = fill(label, { period: periodText(to) })
  return (
    <a href={addressOf(to)} class="btn btn-ghost btn-square btn-sm" aria-label={text} title={text}>
      <Icon of={icon} class="size-5 rtl:-scale-x-100" />
    </a>
  )
}

function Nothing() {
  return (
    <Empty drawing="thanks">
      <p>{t().recap.nothing}</p>
      <a href={addresses.home} onClick={focusTransferBox} class="btn btn-primary font-medium">
        {t().recap.thank}
      </a>
    </Empty>
  )
}
