import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"

export const usePerson = createQuery((username: string) => request(api.api.v1.people({ username }).get()))

export type PersonData = NonNullable<ReturnType<typeof usePerson>["data"]>
