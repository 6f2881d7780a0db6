import type { DatabaseUrl } from "../../../config/database-url.ts"
import { createLog } from "../../../log.ts"
import type { Maintenance } from "../../maintenance.ts"
import { DatabaseUnusable } from "../../opening.ts"
import { writeAudit } from "../audit.ts"
import { usingClient } from "../database/open.ts"
import { targetOf, usingSource } from "./copy.ts"
import { diagnose } from "./diagnose.ts"
import { reset } from "./reset.ts"
import { verify } from "./verify.ts"

const silent = createLog(() => {})

/** `Maintenance` of a PostgreSQL database. */
export function maintenanceOf(url: DatabaseUrl): Maintenance {
  const options = { url, poolSize: 1, log: silent }
  return {
    async verify({ accepts, ...request }) {
      if (accepts)
        throw new DatabaseUnusable("only a database file has a watermark to accept it by; verify without --accept")
      return usingClient(options, (client) => verify(client, request))
    },
    reset: () => usingClient({ ...options, company: "alone" }, reset),
    asSource: (work) => usingClient({ ...options, company: "alone" }, (client) => usingSource(client, work)),
    asTarget: (work) => usingClient({ ...options, company: "alone" }, (client) => work(targetOf(client))),
    diagnoseServer: (request) => usingClient(options, (client) => diagnose(client, request)),
    note: (entry) => usingClient(options, (client) => client.transaction(async (tx) => writeAudit(tx, entry))),
  }
}
