import type { Answer } from "../support/client.ts"
import type { Call, Endpoint } from "./endpoint.ts"

const user = (userName: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName,
  displayName: crypto.randomUUID(),
  emails: [{ value: `${userName}@example.com`, primary: true }],
})

/** Carla: the fourth user, after `admin`, Ana and Bruno. */
const carla = "/Users/4"

const row = (method: string, path: string, status: number, body?: () => object): Endpoint => ({
  async ask({ call }: Call) {
    const headers = { "content-type": "application/scim+json" }
    const sent = body && { body: JSON.stringify(body()), headers }
    return withDetail(await call<unknown>(method, `/scim/v2${path}`, sent))
  },
  done: (answer) => (answer.status === status && status < 300 ? String(status) : null),
  word: String(status),
  ...(body && { writes: true }),
})

/** Converts an error of SCIM to the form of the other interface, so that one word stands for both. */
function withDetail(answer: Answer<unknown>): Answer {
  if (answer.status < 400) return answer
  const { detail } = (typeof answer.body === "string" ? JSON.parse(answer.body) : answer.body) as { detail: string }
  return { ...answer, body: { detail } }
}

/** The rows about SCIM. */
export const scimRows: Readonly<Record<string, Endpoint>> = {
  "GET /scim/v2/Users": row("GET", "/Users", 200),
  "POST /scim/v2/Users": row("POST", "/Users", 201, () => user(crypto.randomUUID())),
  "GET /scim/v2/Users/{id}": row("GET", carla, 200),
  "PUT /scim/v2/Users/{id}": row("PUT", carla, 200, () => user("carla")),
  "PATCH /scim/v2/Users/{id}": row("PATCH", carla, 200, () => ({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
    Operations: [{ op: "replace", value: { displayName: crypto.randomUUID() } }],
  })),
  "DELETE /scim/v2/Users/{id}": row("DELETE", "/Users/0", 404),
  "GET /scim/v2/ServiceProviderConfig": row("GET", "/ServiceProviderConfig", 200),
  "GET /scim/v2/Schemas": row("GET", "/Schemas", 200),
  "GET /scim/v2/Schemas/{id}": row("GET", "/Schemas/urn:ietf:params:scim:schemas:core:2.0:User", 200),
  "GET /scim/v2/ResourceTypes": row("GET", "/ResourceTypes", 200),
  "GET /scim/v2/ResourceTypes/{id}": row("GET", "/ResourceTypes/User", 200),
}
