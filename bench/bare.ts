import { Elysia } from "elysia"

/* The smallest server on this framework: the baseline for start, memory and size. */

const port = Number(process.env.REWARDS_SERVER__PORT ?? 0)
const { server } = new Elysia()
  .get("/user/admin/", () => ({ name: "Admin" }))
  .listen({ hostname: "127.0.0.1", port, reusePort: false })

console.error(JSON.stringify({ message: "listening", url: `http://127.0.0.1:${server?.port}` }))
