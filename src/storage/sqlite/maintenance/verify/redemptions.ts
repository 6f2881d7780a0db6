import type { Damage } from "../../../verify/damage.ts"
import { redemptionFault, redemptionsAgainstLedger } from "../../../verify/redemptions.ts"
import type { Subject } from "./check.ts"

/** Every redemption agrees with its transactions. */
export function* redemptionFaults({ client }: Subject): Generator<Damage> {
  for (const row of client.query<Parameters<typeof redemptionFault>[0], []>(redemptionsAgainstLedger).iterate())
    yield redemptionFault(row)
}
