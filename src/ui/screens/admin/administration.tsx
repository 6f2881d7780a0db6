import { useSignal } from "@preact/signals"
import {
  CalendarClock,
  ChartColumn,
  Download,
  FileUp,
  Gift,
  HandCoins,
  History,
  KeyRound,
  Network,
  SlidersHorizontal,
  UserPlus,
  UserX,
  Webhook,
} from "lucide"
import type { ComponentChildren } from "preact"
import { useLocation } from "preact-iso"
import { accountAddress, addresses, withQuery } from "../../addresses.ts"
import { focusTransferBox } from "../../palette/commands.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Combobox } from "../../parts/combobox.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { usePeopleSearch } from "../../people.ts"
import { hasDuty, isSuperuser, mayMaintain, mayOpen } from "../../rights.ts"
import { cellSeparator } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { draftFor } from "../../transfer/draft.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { prefetchHealth, useHealth, verdictOn } from "./health.ts"

/** The start page of the administration: people, points, server, as far as they are for the user. */
export function Administration() {
  const { admin, departments, rewardAdmin, rewards, shell, tokens, webhooks } = t()
  return (
    <AdminLayout title={shell.admin}>
      <Section title={admin.people} isShown={hasDuty("people", "insights", "programme")}>
        {hasDuty("people") && <PersonFinder />}
        <ul class="-mx-3 mt-2">
          <LinkItem
            address={addresses.adminNew}
            icon={UserPlus}
            name={admin.create}
            text={isSuperuser() ? admin.createLead : admin.inviteLead}
          />
          <LinkItem address={addresses.adminImport} icon={FileUp} name={admin.import} text={admin.importLead} />
          <LinkItem
            address={addresses.adminDepartments}
            icon={Network}
            name={departments.title}
            text={departments.adminLead}
          />
          <LinkItem
            address={withQuery(addresses.people, { active: "false" })}
            icon={UserX}
            name={admin.leavers}
            text={admin.leaversLead}
            isShown={hasDuty("people")}
          />
          <LinkItem
            address={withQuery("/api/v1/users.csv", { separator: cellSeparator() })}
            icon={Download}
            name={admin.download}
            text={admin.downloadPeople}
            isShown={hasDuty("insights")}
            isFile
          />
        </ul>
      </Section>
      <Section title={admin.points} isShown={hasDuty("rewards", "insights", "programme")}>
        <ul class="-mx-3">
          <LinkItem
            address={addresses.home}
            icon={HandCoins}
            name={admin.grant}
            text={admin.grantLead}
            isShown={isSuperuser()}
            onClick={giveToMany}
          />
          <LinkItem
            address={addresses.adminAllowances}
            icon={CalendarClock}
            name={admin.allowances}
            text={admin.allowancesLead}
          />
          <LinkItem
            address={addresses.adminProgramme}
            icon={SlidersHorizontal}
            name={admin.programme}
            text={admin.programmeLead}
          />
          <LinkItem address={addresses.adminRewards} icon={Gift} name={rewards.title} text={rewardAdmin.adminLead} />
          <LinkItem
            address={addresses.adminInsights}
            icon={ChartColumn}
            name={admin.insights}
            text={admin.insightsLead}
          />
          <LinkItem
            address={addresses.history}
            icon={History}
            name={admin.history}
            text={admin.historyLead}
            isShown={isSuperuser()}
          />
          <LinkItem
            address={withQuery("/api/v1/transactions.csv", { separator: cellSeparator() })}
            icon={Download}
            name={admin.download}
            text={admin.downloadTransactions}
            isShown={isSuperuser()}
            isFile
          />
        </ul>
      </Section>
      <Section title={admin.server} isShown={isSuperuser()}>
        <HealthLine />
        <ul class="-mx-3">
          <LinkItem
            address={addresses.adminTokens}
            icon={KeyRound}
            name={tokens.serviceTitle}
            text={tokens.adminLead}
          />
          <LinkItem address={addresses.adminWebhooks} icon={Webhook} name={webhooks.title} text={webhooks.adminLead} />
        </ul>
      </Section>
    </AdminLayout>
  )
}

Administration.prefetch = async () => isSuperuser() && prefetchHealth()

interface SectionProps {
  readonly title: string
  readonly isShown: boolean
  readonly children: ComponentChildren
}

function Section({ title, isShown, children }: SectionProps) {
  if (!isShown) return null
  return (
    <section class="mt-8">
      <h2 class="mb-2 text-sm font-medium text-muted">{title}</h2>
      {children}
    </section>
  )
}

interface LinkItemProps {
  readonly address: string
  readonly icon: typeof Download
  readonly name: string
  readonly text: string
  /** By default it is shown to those for whom the screen is. */
  readonly isShown?: boolean
  readonly isFile?: boolean
  readonly onClick?: () => void
}

function LinkItem({ address, icon, name, text, isShown = mayOpen(address), isFile = false, onClick }: LinkItemProps) {
  if (!isShown) return null
  return (
    <li>
      <a
        href={address}
        download={isFile}
        onClick={onClick}
        class="flex gap-3.5 rounded-field px-3 py-2.5 hover:bg-base-300/50"
      >
        <Icon of={icon} class="mt-0.5 size-5 text-muted" />
        <span class="min-w-0">
          <span class="block font-medium">{name}</span>
          <span class="block text-sm text-muted">{text}</span>
        </span>
      </a>
    </li>
  )
}

/** A field that finds an account by any part of a name. */
function PersonFinder() {
  const { admin } = t()
  const { route } = useLocation()
  const text = useSignal("")

  return (
    <Combobox
      label={admin.find}
      placeholder={admin.find}
      text={text}
      options={usePeopleSearch(text.value)?.filter(mayMaintain) ?? null}
      keyOf={({ username }) => username}
      onPick={({ username }) => route(accountAddress(username))}
      draw={(face) => (
        <>
          <Avatar {...face} src={face.avatar} size="small" />
          <span class="min-w-0 grow">
            <span dir="auto" class="block wrap-anywhere">
              {face.name}
            </span>
            <span class="block text-sm wrap-anywhere text-muted">
              {face.username} · <span dir="auto">{face.dept}</span>
            </span>
          </span>
        </>
      )}
    />
  )
}

/** The box on the home screen, for a grant. */
function giveToMany() {
  draftFor(null).isGrant.value = true
  focusTransferBox()
}

const verdictLooks = { well: "bg-success", noted: "bg-warning", unwell: "bg-error" }

/** The health of the server in one sentence, with a link to the details. */
function HealthLine() {
  const { health } = t()
  const { data, failure, refresh } = useHealth()
  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  return (
    <a
      href={addresses.adminServer}
      class="-mx-3 flex min-h-11 items-center gap-3.5 rounded-field px-3 py-2.5 hover:bg-base-300/50"
    >
      <span class="grid size-5 shrink-0 place-content-center" aria-hidden="true">
        <span class={`size-2.5 rounded-full ${data === null ? "bg-base-300" : verdictLooks[verdictOn(data)]}`} />
      </span>
      {data === null ? <Skeleton class="h-4 w-40" /> : <span class="font-medium">{health[verdictOn(data)]}</span>}
    </a>
  )
}
