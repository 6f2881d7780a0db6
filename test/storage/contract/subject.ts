import type { OpenStore } from "../../../src/storage/open-store.ts"

/** A store with its own empty data. The end of the scope closes all open stores and removes the data. */
export interface Subject extends AsyncDisposable {
  readonly store: OpenStore
  /** Opens another store on the same data, as another process would; one that says another time zone too. */
  reopen(timeZone?: string): Promise<OpenStore>
}

export type OpenSubject = () => Promise<Subject>

/** A subject whose stores `open` opens on `data`. The data is removed after they are closed. */
export async function subjectOn(
  data: AsyncDisposable,
  open: (timeZone: string) => Promise<OpenStore>,
): Promise<Subject> {
  const opened = new Set<OpenStore>()
  const reopen = async (timeZone = "UTC") => {
    const store = await open(timeZone)
    opened.add(store)
    const close = () => {
      opened.delete(store)
      return store.close()
    }
    return { ...store, close }
  }
  return {
    store: await reopen(),
    reopen,
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store.close()
      await data[Symbol.asyncDispose]()
    },
  }
}
