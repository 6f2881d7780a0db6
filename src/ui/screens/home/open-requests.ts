import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"

/** At most a hundred open requests: everybody's for those who answer them, otherwise the user's own. */
export const useRequests = createQuery((_: null) =>
  request(api.api.v1.redemptions.get({ query: { state: "requested", size: "100" } })),
)
