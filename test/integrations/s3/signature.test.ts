import { expect, test } from "bun:test"
import { signed } from "../../../src/integrations/s3/signature.ts"

const key = {
  region: "us-east-1",
  credentials: {
    accessKey: "AKIAIOSFODNN7EXAMPLE",
    secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    sessionToken: null,
  },
}

test.each([null, "a session token/+="])(
  "a request is signed as Bun's client signs it, with the session token %p",
  async (sessionToken) => {
    const captured: { method: string; url: URL; headers: Record<string, string> }[] = []
    await using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch({ method, url, headers }) {
        captured.push({ method, url: new URL(url), headers: headers.toJSON() })
        return new Response("<ListBucketResult></ListBucketResult>")
      },
    })
    const endpoint = `http://127.0.0.1:${server.port}`
    const { region, credentials } = { ...key, credentials: { ...key.credentials, sessionToken } }
    const client = new Bun.S3Client({
      accessKeyId: credentials.accessKey,
      secretAccessKey: credentials.secretKey,
      ...(sessionToken !== null && { sessionToken }),
      region,
      endpoint,
      bucket: "backups",
    })
    await client.list({ prefix: "a folder/it's (mine)*-", continuationToken: "a+b/c=" })
    await client.delete("a folder/it's (mine).db")

    expect(captured.map(({ method }) => method)).toEqual(["GET", "DELETE"])
    for (const { method, url, headers } of captured) {
      const time = headers["x-amz-date"] ?? ""
      const now = Date.parse(time.replace(/(....)(..)(..)T(..)(..)(..)Z/, "$1-$2-$3T$4:$5:$6Z"))
      const query = Object.fromEntries(url.searchParams)
      const mine = signed({
        region,
        credentials,
        now,
        method: method as "GET",
        url: `${endpoint}${url.pathname}`,
        query,
      })
      expect(mine.url).toBe(url.href)
      expect(headers).toMatchObject(mine.headers)
    }
  },
)
