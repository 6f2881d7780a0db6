import { storedValue } from "../../browser-storage.ts"
import { type Answer, type api, upload } from "../../server/api.ts"
import { requestOnce } from "../../server/once.ts"
import { loadDetails } from "../../texts/texts.ts"

/** The result of an import or a dry run. */
export type ImportResult = Extract<
  Awaited<ReturnType<(typeof api.api.v1.users.import)["post"]>>,
  { error: null }
>["data"]

/** What a dry run says about the file, too. */
export type DryRun = Required<ImportResult>

export type Meaning = NonNullable<DryRun["columns"][number]["means"]>

/** How somebody wants a file to be read. */
export interface Reading {
  readonly ignoreUnknown: boolean
  /** Empty for none. */
  readonly preset: string
  /** Empty if the file shows it. */
  readonly dates: string
  /** What headers mean; null leaves a column out. */
  readonly columns: Readonly<Record<string, Meaning | null>>
}

export const asFound: Reading = { ignoreUnknown: false, preset: "", dates: "", columns: {} }

/** Validates only; changes nothing. */
export async function checkPeople(file: File, reading: Reading): Promise<Answer<DryRun>> {
  const answer = await send<DryRun>(file, reading, { dry_run: "true" })
  if (answer.kind === "done" && answer.data.errors.length > 0) await loadDetails()
  return answer
}

/** With `invite`, mails a link to set a password to every new person. */
export const importPeople = (file: File, reading: Reading, invite: boolean): Promise<Answer<ImportResult>> =>
  requestOnce("import", ({ headers }) => send(file, reading, { invite: String(invite) }, headers))

/** Sends the raw bytes: the server detects their encoding. */
async function send<T>(file: File, reading: Reading, options: Readonly<Record<string, string>>, headers = {}) {
  const { ignoreUnknown, preset, dates, columns } = reading
  const query = new URLSearchParams({
    ...options,
    ignore_unknown: String(ignoreUnknown),
    ...(preset !== "" && { preset }),
    ...(dates !== "" && { dates }),
    ...(Object.keys(columns).length > 0 && { columns: JSON.stringify(columns) }),
  })
  return upload<T>(`/api/v1/users/import?${query}`, {
    method: "POST",
    headers: { "content-type": "text/csv", ...headers },
    body: await file.arrayBuffer(),
  })
}

/** How files were read, by their headers, the newest last. It names no person, and stays for the file of the next month. */
const readings = storedValue("import-readings")
const maxRemembered = 20

const remembered = (): readonly (readonly [string, Reading])[] => JSON.parse(readings.get() ?? "[]")

const headerOf = ({ columns }: Pick<DryRun, "columns">) => JSON.stringify(columns.map(({ header }) => header))

export function rememberReading(file: Pick<DryRun, "columns">, reading: Reading) {
  const header = headerOf(file)
  const others = remembered().filter(([one]) => one !== header)
  readings.set(JSON.stringify([...others, [header, reading]].slice(-maxRemembered)))
}

/** How a file with the same header was read before. */
export const rememberedReading = (file: Pick<DryRun, "columns">): Reading | undefined =>
  new Map(remembered()).get(headerOf(file))
