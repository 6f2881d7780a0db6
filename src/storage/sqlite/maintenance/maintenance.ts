import type { Maintenance } from "../../maintenance.ts"
import { noteBeside } from "../audit.ts"
import { usingSource, usingTarget } from "./copy.ts"
import { resetDatabase } from "./reset.ts"
import { verifyFile } from "./verify.ts"

/** `Maintenance` of the database file at this path. */
export const maintenanceOf = (path: string): Maintenance => ({
  verify: async (request) => verifyFile({ path, ...request }),
  reset: async () => resetDatabase(path),
  asSource: (work) => usingSource(path, work),
  asTarget: (work) => usingTarget(path, work),
  note: async (entry) => noteBeside(path, entry),
  diagnoseServer: null,
})
