import { insights } from "../app/admin/insights.ts"
import { finance } from "../app/admin/outstanding.ts"

/** Texts of figures for those who look after the programme. */
export const texts = { insights, finance }
