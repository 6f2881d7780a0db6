import { createHmac } from "node:crypto"
import { sha256 } from "../../domain/text.ts"
import type { Credentials } from "./credentials.ts"

interface Signed {
  readonly method: "GET" | "PUT" | "POST" | "DELETE"
  /** Without a query. */
  readonly url: string
  readonly query: Readonly<Record<string, string>>
  readonly region: string
  readonly credentials: Credentials
  readonly now: number
}

const algorithm = "AWS4-HMAC-SHA256"
/** A body is read back and compared. */
const payload = "UNSIGNED-PAYLOAD"

/**
 * Signs a request: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. Bun's client signs too, but it
 * cannot name uploads that were never finished, reads an answer of any length, and follows redirects with what is stored.
 */
export function signed({ method, url, query, region, credentials, now }: Signed) {
  const { accessKey, secretKey, sessionToken } = credentials
  const { host, pathname } = new URL(url)
  const search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&")
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const own = {
    "x-amz-content-sha256": payload,
    "x-amz-date": time,
    ...(sessionToken !== null && { "x-amz-security-token": sessionToken }),
  }
  const headers = Object.entries({ host, ...own })
  const signedNames = headers.map(([name]) => name).join(";")
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join("")
  const request = [method, pathname, search, lines, signedNames, payload].join("\n")
  const key = scope.split("/").reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretKey}`)
  const signature = hmac(key, [algorithm, time, scope, sha256(request)].join("\n")).toString("hex")
  return {
    url: search === "" ? url : `${url}?${search}`,
    headers: {
      ...own,
      authorization: `${algorithm} Credential=${accessKey}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`,
    },
  }
}

/** Percent-encoded as in RFC 3986. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()
