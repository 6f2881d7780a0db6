/** What a client knows, as soon as it knows. The database must know it too from then on, whatever happens. */
export type Fact =
  /** This process serves; from now on its main thread may not sync. */
  | { readonly kind: "serving"; readonly process: number }
  /** The processes were told to stop. */
  | { readonly kind: "stopping" }
  | { readonly kind: "acknowledged" | "shown"; readonly transactions: readonly KnownTransaction[] }
  /** All balances in one answer, by username. */
  | { readonly kind: "balances"; readonly balances: Readonly<Record<string, number>> }
  /** Numbers that members count up in their bio, by username. */
  | { readonly kind: "counters"; readonly isShown: boolean; readonly counters: Readonly<Record<string, number>> }

/** What the answer has of it, which is its id or a value that no other transaction has. */
export interface KnownTransaction {
  readonly id?: number
  readonly value?: number
}
