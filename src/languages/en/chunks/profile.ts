import { profile } from "../app/me.ts"
import { secondFactor } from "../app/second-factor.ts"

/** Texts of the own profile, and of second factors at a log-in. */
export const texts = { profile, secondFactor }
