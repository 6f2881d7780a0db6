import { imports } from "../app/admin/import.ts"
import { insights } from "../app/admin/insights.ts"
import { finance } from "../app/admin/outstanding.ts"
import { programme } from "../app/admin/programme.ts"

/** Texts of screens of the administration that few people open, and seldom. */
export const texts = { finance, imports, insights, programme }
