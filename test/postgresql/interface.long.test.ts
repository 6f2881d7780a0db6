import { holdsOnPostgresql } from "./run.ts"
import { inOneProcess } from "./suites.ts"

holdsOnPostgresql("the interface holds on PostgreSQL", inOneProcess)
