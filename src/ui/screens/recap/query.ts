import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { nameOf, type Period } from "./period.ts"

export const scopes = ["own", "company"] as const
export type Scope = (typeof scopes)[number]

export interface Asked {
  readonly period: Period
  readonly of: Scope
}

const { recap } = api.api.v1
const askOwn = (period: Period) => request(recap.get({ query: { period: nameOf(period) } }))
const askCompany = (period: Period) => request(recap.company.get({ query: { period: nameOf(period) } }))

type DataOf<A> = Extract<A, { readonly kind: "done"; readonly data: unknown }>["data"]
type OwnData = DataOf<Awaited<ReturnType<typeof askOwn>>>
type CompanyData = DataOf<Awaited<ReturnType<typeof askCompany>>>

/** The company's has departments. */
export type RecapData = OwnData & Partial<Pick<CompanyData, "departments">>

export const useRecap = createQuery<Asked, RecapData>(({ period, of }) =>
  of === "company" ? askCompany(period) : askOwn(period),
)
