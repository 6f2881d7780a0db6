import { api } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { request } from "../../server/request.ts"

export const useAccount = createQuery((username: string) => request(api.api.v1.users({ username }).get()))

/** An account, as the server shows it to superusers. */
export type AccountData = NonNullable<ReturnType<typeof useAccount>["data"]>
