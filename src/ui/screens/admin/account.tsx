import { useRoute } from "preact-iso"
import { Avatar } from "../../parts/avatar.tsx"
import { Notice } from "../../parts/notice.tsx"
import { Skeleton } from "../../parts/skeleton.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import type { Place } from "../../screens.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { question } from "../../server/question.ts"
import { formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { AccountDept } from "./account-dept.tsx"
import { AccountPassword } from "./account-password.tsx"
import { Handover } from "./handover.tsx"
import { accountNotice } from "./notice.ts"
import { Office } from "./office.tsx"

/** Somebody's account, as the server tells superusers. */
export type AccountTold = NonNullable<ReturnType<typeof useAccount>["data"]>

const useAccount = question((username: string) => ask(api.api.v1.users({ username }).get()))

/** Somebody's account: department and password. */
export function Account() {
  const { params } = useRoute()
  const username = params.username ?? ""
  return <Loaded key={username} username={username} />
}

Account.ahead = ({ params: { username = "" } }: Place) => useAccount.ahead(username)

function Loaded({ username }: { username: string }) {
  const { data, failure, refresh } = useAccount(username)
  const notice = accountNotice.value
  return (
    <Office title={data?.name ?? username} isPart>
      {failure !== null ? (
        <Unloaded failure={failure} onRetry={refresh} />
      ) : (
        <>
          {notice?.username === username && (
            <div class="mt-4">
              <Notice kind="told">{notice.words}</Notice>
            </div>
          )}
          <Handover to={username} />
          <Face of={data} />
          {data !== null && (
            <>
              <AccountDept of={data} onChange={refresh} />
              <AccountPassword of={data} />
            </>
          )}
        </>
      )}
    </Office>
  )
}

function Face({ of }: { of: AccountTold | null }) {
  const { admin } = t()
  if (of === null) return <Skeleton class="mt-5 h-20 w-full" />
  return (
    <div class="mt-5 flex items-center gap-5">
      <Avatar name={of.name} username={of.username} src={of.avatar} size="large" />
      <div class="min-w-0">
        <p class="text-muted">
          {of.username} · <span dir="auto">{of.dept}</span>
        </p>
        <p class="text-muted">{of.email}</p>
        <p class="tabular-nums">
          {formatPoints(of.balance)}
          {of.role === "superuser" && <span class="text-muted"> · {admin.superuser}</span>}
        </p>
      </div>
    </div>
  )
}
