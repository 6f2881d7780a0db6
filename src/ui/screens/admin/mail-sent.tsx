import { useSignal } from "@preact/signals"
import { ShownOnce } from "../../parts/shown-once.tsx"
import { isSuperuser } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { service } from "../../session.ts"
import { t } from "../../texts/texts.ts"

const useLinks = createQuery((username: string | null) =>
  request(api.api.v1.mail.links.get({ query: username === null ? {} : { username } })),
)

interface TrialLinksProps {
  /** Only the link of this person; null: of all who never logged in. */
  readonly username: string | null
}

/** In a trial nobody gets mail: the links that it would bring, to copy. Shows nothing where mail is sent. */
export function TrialLinks({ username }: TrialLinksProps) {
  return isSuperuser() && service.value?.sends_mail === false ? <Links username={username} /> : null
}

function Links({ username }: TrialLinksProps) {
  const { data } = useLinks(username)
  const isClosed = useSignal(false)
  if (data === null || data.items.length === 0 || isClosed.value) return null
  return (
    <ShownOnce
      label={t().mailSent.links}
      secret={data.items.map(({ name, url }) => (data.items.length === 1 ? url : `${name}: ${url}`)).join("\n")}
      lead={t().mailSent.linksLead}
      onClose={() => {
        isClosed.value = true
      }}
    />
  )
}

/** What is said of mail that was sent: that nobody gets it, while mail is not set up. */
export const saidOfMail = (sent: string): string => (service.value?.sends_mail === false ? t().mailSent.nobody : sent)
