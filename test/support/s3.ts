import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import S3rver from "@20minutes/s3rver"
import type { Environment } from "./executable.ts"
import { folderForFiles } from "./files.ts"
import { offSiteSettingsAt } from "./off-site.ts"

/** What happens to a request instead of being answered; undefined: nothing. */
type Fault = (request: Request) => Promise<Response | undefined> | Response | undefined

/**
 * An S3 service with the bucket `backups`, and a proxy in front of it that can break requests and answers. It takes any
 * signature: the double signs `/backups/` without its last slash, unlike the services of others.
 */
export async function startS3() {
  const directory = await mkdtemp(join(folderForFiles(), "rewards-s3-"))
  const store = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: "backups", configs: [] }],
  })
  const { port } = await store.run()
  const requests: string[] = []
  let fault: Fault = () => undefined
  let change = (bytes: Uint8Array<ArrayBuffer>, _request: Request) => bytes
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      requests.push(`${request.method} ${pathname}`)
      const broken = await fault(request)
      if (broken !== undefined) return broken
      const body = await request.arrayBuffer()
      const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: body.byteLength > 0 ? body : null,
      })
      const bytes = change(new Uint8Array(await answer.arrayBuffer()), request)
      return new Response(request.method === "HEAD" || answer.status === 204 ? null : bytes, answer)
    },
  })
  const endpoint = `http://127.0.0.1:${proxy.port}`

  return {
    endpoint,
    requests,
    /** Variables of a server or a command that copies backups there. */
    env: {
      REWARDS_BACKUP__S3_ENDPOINT: endpoint,
      REWARDS_BACKUP__S3_BUCKET: "backups",
      REWARDS_BACKUP__S3_ACCESS_KEY: "S3RVER",
      REWARDS_BACKUP__S3_SECRET_KEY: "S3RVER",
    } satisfies Environment,
    settings: offSiteSettingsAt(endpoint),
    /** From now on, requests meet this fault. */
    breaks(next: Fault) {
      fault = next
    },
    /** From now on, the bytes of answers are changed. */
    changes(next: typeof change) {
      change = next
    },
    repaired() {
      fault = () => undefined
      change = (bytes) => bytes
    },
    async [Symbol.asyncDispose]() {
      await proxy.stop(true)
      await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** An error as the S3 service words it. */
export const s3Error = (status: number, code: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { "content-type": "application/xml" },
  })
