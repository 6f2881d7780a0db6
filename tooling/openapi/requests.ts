import { join } from "node:path"
import { openapiDocument } from "../client/schema.ts"

/*
 * bun run docs:requests
 *
 * Writes docs/interface/requests.md from the OpenAPI document. A test fails while it is not what the routes are.
 */

interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, unknown>>
}

export interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The page: a table for each tag, in the order of the document. */
export function requestsPage({ paths }: Documented): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      request: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  )
  const tables = Map.groupBy(operations, ({ tags }) => tags?.[0] ?? "Other")
  return [
    `# Every request

Written from the OpenAPI document by \`bun run docs:requests\`. The server shows all of it, with bodies and answers, at \`/docs\`.
The last column says with what a caller may prove who it is; with "-" nobody asks.
`,
    ...[...tables].map(([tag, requests]) => tableOf(tag, requests)),
  ].join("\n")
}

const tableOf = (tag: string, requests: readonly (Operation & { readonly request: string })[]) => `## ${tag}

| Request | What | Refusals | Proof |
| --- | --- | --- | --- |
${requests.map(rowOf).join("\n")}
`

function rowOf({ request, summary = "", responses, security }: Operation & { readonly request: string }): string {
  const refusals = Object.keys(responses).filter((status) => status.startsWith("4"))
  const proofs = (security ?? []).flatMap((scheme) => Object.keys(scheme)).join(", ")
  return `| \`${request}\` | ${summary} | ${refusals.join(" ")} | ${proofs || "-"} |`
}

if (import.meta.main)
  await Bun.write(
    join(import.meta.dir, "../../docs/interface/requests.md"),
    requestsPage((await openapiDocument()) as unknown as Documented),
  )
