import { test } from "bun:test"
import { failSyncs } from "./failed-sync.ts"

test("after a failed sync nothing is written back, at many more places of a power cut", () => failSyncs(40))
