import { Elysia } from "elysia"
import { loadConfig } from "../src/config/load.ts"
import { commonHeaders } from "../src/http/base.ts"
import { HistoryQuery, TransferBody } from "../src/http/routes/transactions.ts"
import { ProtectedQuery, Username } from "../src/http/schemas.ts"

/*
 * The cost of the framework: the routes of the measured server with their schemas and headers, answering a constant.
 * `PAGE` names the file with the answer to a request for a page.
 */

const page = process.env.PAGE === undefined ? "" : await Bun.file(process.env.PAGE).text()
let count = 0
const config = loadConfig({ cwd: ".", configPath: null, env: {}, flags: {}, underTest: false, needsSecret: false })
const nextRequestId = () => `baseline-${(++count).toString(36)}`

const { server } = new Elysia({ normalize: false })
  .headers(commonHeaders(config))
  .post(
    "/transaction/:username/",
    ({ set, status }) => {
      set.headers["x-request-id"] = nextRequestId()
      return status(201, { message: "Transaction added" })
    },
    { parse: "json", params: Username, query: ProtectedQuery, body: TransferBody },
  )
  .get(
    "/user/:username/",
    ({ set }) => {
      set.headers["x-request-id"] = nextRequestId()
      return { name: "Ana Souza", username: "ana", dept: "sales", avatar: null, bio: null, currency: "USD" }
    },
    { params: Username, query: ProtectedQuery },
  )
  .get(
    "/transaction/",
    ({ set }) => {
      set.headers["x-request-id"] = nextRequestId()
      set.headers["content-type"] = "application/json;charset=utf-8"
      return page
    },
    { query: HistoryQuery },
  )
  .listen({ hostname: "127.0.0.1", port: 0, reusePort: false })

console.error(JSON.stringify({ message: "listening", url: `http://127.0.0.1:${server?.port}` }))
