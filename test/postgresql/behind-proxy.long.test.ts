import { holdsOnPostgresql } from "./run.ts"
import { behindProxy } from "./suites.ts"

holdsOnPostgresql("three processes behind a proxy answer like one", behindProxy, { REWARDS_TEST_PROCESSES: "3" })
