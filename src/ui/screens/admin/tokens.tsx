import { api, request } from "../../server/api.ts"
import { requestOnce } from "../../server/once.ts"
import { createQuery } from "../../server/query.ts"
import { t } from "../../texts/texts.ts"
import { NewToken, TokenList } from "../../tokens.tsx"
import { AdminLayout } from "./admin-layout.tsx"

const useServiceTokens = createQuery((_: null) => request(api.api.v1["service-tokens"].get()))

/** The tokens of other systems, and a form to add one. */
export function ServiceTokens() {
  const { tokens: texts } = t()
  const tokens = useServiceTokens(null)
  return (
    <AdminLayout title={texts.serviceTitle} isPart>
      <p class="mt-1 max-w-xl text-muted">{texts.serviceLead}</p>
      <div class="mt-6 grid max-w-xl gap-6">
        <TokenList of={tokens} revoke={(id) => request(api.api.v1["service-tokens"]({ id }).delete())} />
        <NewToken
          forAccount
          scopes={["read", "give", "admin"]}
          create={(body) =>
            requestOnce("service token", (sent) => request(api.api.v1["service-tokens"].post(body, sent)))
          }
          onCreated={tokens.refresh}
        />
      </div>
    </AdminLayout>
  )
}

ServiceTokens.prefetch = () => useServiceTokens.prefetch(null)
