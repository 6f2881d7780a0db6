import { resolve } from "node:path"
import { connect, type HttpConnection } from "./http.ts"
import { rewardsEnvironment } from "./server.ts"

const patienceMs = 20_000

/** From the start of the program to the end of its first answer, in ms; then the program is ended. */
export async function startToFirstAnswer(executable: string, folder: string, env: Record<string, string> = {}) {
  const port = freePort()
  const started = performance.now()
  const child = Bun.spawn([resolve(executable), "serve"], {
    cwd: folder,
    env: { ...rewardsEnvironment, REWARDS_SERVER__PORT: `${port}`, ...env },
    stdio: ["ignore", "ignore", "ignore"],
  })
  try {
    const connection = await connectSoon(`http://127.0.0.1:${port}`, started)
    await connection.request({ path: "/user/admin/" })
    connection.close()
    return performance.now() - started
  } finally {
    child.kill()
    await child.exited
  }
}

async function connectSoon(url: string, started: number): Promise<HttpConnection> {
  for (;;) {
    try {
      return await connect(url)
    } catch (error) {
      if (performance.now() - started > patienceMs) throw error
      await Bun.sleep(0.5)
    }
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop(true)
  return port
}
