import { toOpenAPISchema } from "@elysiajs/openapi"
import type { AnyElysia } from "elysia"
import { version } from "../../package.json" with { type: "json" }
import { sessionCookie } from "./caller.ts"
import { streamPath } from "./paths.ts"
import { TransactionStreamQuery } from "./schemas.ts"
import { shapes } from "./shapes.ts"

export const title = "Rewards"
const openapi = "3.1.2"

/**
 * The OpenAPI document of all routes of `app`. The contract keeps its WebSocket out of the listed paths, so it is
 * described beside them.
 */
export function openapiOf(app: AnyElysia) {
  const exclude = { staticFile: false, paths: [/^\/docs/, "/openapi.json", streamPath] }
  const { paths } = toOpenAPISchema(app, exclude, undefined, undefined, openapi)
  return plain({
    openapi,
    info: { title, version, description: "a rewards API" },
    tags: [{ name: "Transactions", description: streamInWords }],
    paths,
    "x-websockets": { [streamPath]: stream },
    components: {
      schemas: shapes,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        session: { type: "apiKey", in: "cookie", name: sessionCookie },
      },
    },
  })
}

const stream = {
  summary: "Watch the transactions",
  parameters: Object.entries(TransactionStreamQuery.properties).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
  })),
  messages: { oneOf: [{ $ref: "StreamMessage" }, { $ref: "ResumableStreamMessage" }] },
}

const streamInWords = `The WebSocket \`${streamPath}\` sends one message for each transaction, in ascending order of ids: \
\`{"to": "Zoë", "from": "Ada", "value": 25}\`, with the names of receiver and sender, from the first transaction on. \
With \`?after=<id>\` it begins behind that transaction, with \`?last=<count>\` with the newest ones; then each message has \
\`id\` and \`date\` too. Where the setting \`stream.access\` is \`auth\` it takes a session or a token.`

/** Resolves TypeBox references to component schemas, shows query parameters as what their texts stand for (`shownAs`), and
 *  adds header parameters, which `toOpenAPISchema` drops from an operation. */
function plain(document: object): object {
  const text = JSON.stringify(document).replaceAll(/"\$ref":"(\w+)"/g, '"$ref":"#/components/schemas/$1"')
  return JSON.parse(text, (_, value) => {
    if (value?.shownAs) return { ...value.shownAs, description: value.description }
    if (!value?.headerParameters) return value
    const { headerParameters, parameters = [], ...operation } = value
    return { ...operation, parameters: [...parameters, ...headerParameters] }
  })
}
