import type { AuditEntry } from "../audit/ports.ts"
import type { Programme } from "./model.ts"
import type { EarlierPointValue } from "./point-value.ts"

/** The programme as it is stored. An earlier version may have stored fewer fields. */
export type StoredProgramme = Partial<Programme & KeptPointValues>

interface KeptPointValues {
  /** What points were worth before, ascending. The interface does not show it. */
  readonly earlier_point_values: readonly EarlierPointValue[]
}

export interface ProgrammeStore {
  /** Null before the first start of a server and the first change. */
  read(): Promise<StoredProgramme | null>
  /** Stores the first programme. False, with nothing changed, when there is one already. */
  begin(first: Programme): Promise<boolean>
  /**
   * Stores what `change` makes of the programme, in one commit with the audit entry; without one, stores nothing. Resolves
   * to what is stored then. What `change` throws changes nothing.
   */
  update(
    change: (before: StoredProgramme | null) => {
      readonly after: Programme & Partial<KeptPointValues>
      readonly audit: AuditEntry | undefined
    },
  ): Promise<Programme>
}
