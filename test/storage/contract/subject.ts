import type { Store } from "../../../src/domain/store.ts"

/** A store on empty data of its own; the end of the scope closes all that was opened and takes the data away. */
export interface Subject extends AsyncDisposable {
  readonly store: Store
  /** One more store on the same data, as another process would open it. */
  reopen(): Promise<Store>
}

export type OpenSubject = () => Promise<Subject>
