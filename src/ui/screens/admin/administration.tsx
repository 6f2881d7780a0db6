import { Download, FileUp, HandCoins, History, UserPlus } from "lucide"
import type { ComponentChildren } from "preact"
import { addresses } from "../../addresses.ts"
import { toGiveBox } from "../../palette/give.ts"
import { Icon } from "../../parts/icon.tsx"
import { withQuery } from "../../query.ts"
import { cellSeparator } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { healthAhead } from "./health.ts"
import { HealthLine } from "./health-line.tsx"
import { Office } from "./office.tsx"
import { PersonFinder } from "./person-finder.tsx"

/** Where superusers begin: people, points, the server. */
export function Administration() {
  const { admin, shell } = t()
  return (
    <Office title={shell.admin}>
      <Section title={admin.people}>
        <PersonFinder />
        <ul class="-mx-3 mt-2">
          <Way address={addresses.adminNew} icon={UserPlus} name={admin.create} text={admin.createLead} />
          <Way address={addresses.adminImport} icon={FileUp} name={admin.import} text={admin.importLead} />
          <Way
            address={withQuery("/api/v1/users.csv", { separator: cellSeparator() })}
            icon={Download}
            name={admin.download}
            text={admin.downloadPeople}
            isFile
          />
        </ul>
      </Section>
      <Section title={admin.points}>
        <ul class="-mx-3">
          <Way
            address={addresses.home}
            icon={HandCoins}
            name={admin.grant}
            text={admin.grantLead}
            onClick={toGiveBox}
          />
          <Way address={addresses.history} icon={History} name={admin.history} text={admin.historyLead} />
          <Way
            address={withQuery("/api/v1/transactions.csv", { separator: cellSeparator() })}
            icon={Download}
            name={admin.download}
            text={admin.downloadTransactions}
            isFile
          />
        </ul>
      </Section>
      <Section title={admin.server}>
        <HealthLine />
      </Section>
    </Office>
  )
}

Administration.ahead = healthAhead

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="mt-8">
      <h2 class="mb-2 text-sm font-medium text-muted">{title}</h2>
      {children}
    </section>
  )
}

interface WayProps {
  readonly address: string
  readonly icon: typeof Download
  readonly name: string
  readonly text: string
  readonly isFile?: boolean
  readonly onClick?: () => void
}

function Way({ address, icon, name, text, isFile = false, onClick }: WayProps) {
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
