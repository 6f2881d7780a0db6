import { api } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { request } from "../../server/request.ts"
import { t } from "../../texts/texts.ts"
import { NewToken } from "../../tokens/new-token.tsx"
import { TokenList } from "../../tokens/token-list.tsx"

const useTokens = createQuery((_: null) => request(api.api.v1.tokens.get()))

/** The user's own API tokens, and a form for one more. */
export function OwnTokens({ isSuperuser }: { isSuperuser: boolean }) {
  const tokens = useTokens(null)
  return (
    <div class="grid gap-4">
      <p class="text-sm text-muted">{t().tokens.lead}</p>
      <TokenList of={tokens} revoke={(id) => request(api.api.v1.tokens({ id }).delete())} />
      <NewToken
        scopes={isSuperuser ? ["read", "give", "admin"] : ["read", "give"]}
        create={(body) => request(api.api.v1.tokens.post(body))}
        onCreated={tokens.refresh}
      />
    </div>
  )
}

OwnTokens.prefetch = () => useTokens.prefetch(null)
