import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { plugin } from "bun"
import { createServerApp } from "../../src/app/server-app.ts"
import { loadConfig } from "../../src/config/load.ts"
import { createApi } from "../../src/http/api.ts"
import { openapiOf } from "../../src/http/openapi.ts"

/*
 * bun run client:schema
 *
 * Writes the types of the client from the OpenAPI document. Git ignores the file: builds, type checks and the package of
 * the client write it first.
 */

const schemaPath = join(import.meta.dir, "../../client/src/schema.ts")

/** TypeScript 7, which checks this repository, has no programming interface, and `openapi-typescript` needs one. */
const olderTypeScript = async () => {
  const { default: ts } = await import("typescript5")
  return { exports: { ...ts, default: ts }, loader: "object" } as const
}

const head = `/* Generated from the OpenAPI document by \`bun run client:schema\`. */

`

export async function writeClientSchema() {
  await Bun.write(schemaPath, await clientSchema())
}

async function clientSchema(): Promise<string> {
  plugin({ name: "typescript 5", setup: (build) => void build.module("typescript", olderTypeScript) })
  const { default: generate, astToString } = await import("openapi-typescript")
  const document = withOneError(await openapiDocument())
  return head + astToString(await generate(JSON.stringify(document)))
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, { readonly content?: object }> }>>
}

/** Every error of an operation has the same body. Written once as the default answer, it is a third of the types. */
function withOneError(document: Document): Document {
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path)) {
      const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
      const anError = { description: "Refused", content: operation.responses["400"]?.content ?? {} }
      operation.responses = { ...Object.fromEntries(successes), default: anError }
    }
  return document
}

/** The document as a new service with the default settings shows it. */
export async function openapiDocument(): Promise<Document> {
  const folder = await mkdtemp(join(tmpdir(), "rewards-schema-"))
  const flags = { "security.secret_key": crypto.randomUUID(), "db.path": join(folder, "rewards.db") }
  const config = loadConfig({ cwd: folder, configPath: null, env: {}, flags, needsSecret: true, underTest: false })
  const app = await createServerApp(config)
  const unused = () => {
    throw new Error("nobody sends requests")
  }
  try {
    const { parts } = createApi({ app, arrival: unused })
    return openapiOf(await parts(), config.service.name) as Document
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
}

if (import.meta.main) await writeClientSchema()
