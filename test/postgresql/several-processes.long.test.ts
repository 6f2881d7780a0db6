import { holdsOnPostgresql } from "./run.ts"
import { inSeveralProcesses } from "./suites.ts"

holdsOnPostgresql("several processes share PostgreSQL", inSeveralProcesses)
