import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { checkAcme } from "../../../src/cli/doctor/acme.ts"
import { loadConfig } from "../../../src/config/load.ts"
import { startPlainServer } from "../../../src/http/plain-server.ts"
import type { AcmeState, Attempt } from "../../../src/integrations/acme/state.ts"
import { writeState } from "../../../src/integrations/acme/state.ts"
import { createAuthority } from "../../support/authority.ts"
import { secret, temporaryFolder } from "../../support/executable.ts"
import { freePort } from "../../support/free-port.ts"

const now = Date.UTC(2026, 10, 25, 12)
const dayMs = 86_400_000
/** An authority of the company itself, which reaches names of this network. */
const directory = "https://localhost/directory"
const authority = await createAuthority()

/** A machine that has this state, with what answers at the port that authorities ask. */
async function machine(state: Partial<AcmeState> | null, domain = "localhost", authorityAt = directory) {
  const folder = await temporaryFolder()
  const port = freePort()
  const { key: accountKey } = await authority.issue(["localhost"])
  const config = loadConfig({
    cwd: folder.path,
    configPath: null,
    env: {},
    flags: {
      "security.secret_key": secret,
      "server.acme_domains": domain,
      "server.acme_directory": authorityAt,
      "server.base_url": `https://${domain}`,
    },
    underTest: true,
    needsSecret: true,
  })
  if (state !== null)
    await writeState(join(folder.path, "state"), { accountKey, certificate: null, attempt: null, ...state })
  return {
    folder: folder.path,
    port,
    findings: async () =>
      (await checkAcme(config, { cwd: folder.path, now: () => now }, port)).map(({ verdict, message, cure }) =>
        [verdict, message, cure]
          .filter((part) => part !== null)
          .join(" | ")
          .replaceAll(`${port}`, "PORT")
          .replaceAll("::1", "127.0.0.1"),
      ),
    answers: (secret: string) =>
      startPlainServer({ host: "localhost", port, baseUrl: "https://localhost", secret, now: () => now }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const attempt = (failure: Attempt["failure"]): Attempt => ({
  at: now - 60_000,
  domains: ["localhost"],
  directory,
  failedBefore: 0,
  failure,
})

async function certificate(daysLeft: number) {
  const validity = { notBefore: new Date(now - (90 - daysLeft) * dayMs), notAfter: new Date(now + daysLeft * dayMs) }
  return { ...(await authority.issue(["localhost"], validity)), domains: ["localhost"], directory }
}

const closed =
  "port PORT of localhost (127.0.0.1) cannot be reached: connection refused | open it in every firewall, let it lead to 80 here, and start the server"

test("before the first start, doctor says that nothing was asked for, and that the port is closed", async () => {
  await using world = await machine(null)
  expect(await world.findings()).toEqual([
    "warn | none yet: the server has not asked for one | start it with `rewards serve`",
    `bad | ${closed}`,
  ])
})

test("a failure is told with its cause, its cure and the time of the next attempt", async () => {
  await using world = await machine({
    attempt: attempt({ problem: "localhost: port closed", cure: "open it", notBefore: null, isCounted: true }),
  })
  const plain = world.answers(secret)
  expect(await world.findings()).toEqual([
    "bad | localhost: port closed | open it; the next attempt is at 2026-11-25T12:14:00Z",
    "ok | localhost (127.0.0.1) reaches this server on port PORT",
  ])
  await plain.stop()
})

test("a failed renewal, or a port that this machine cannot reach, only warns while the certificate is good", async () => {
  await using world = await machine({
    certificate: await certificate(29),
    attempt: attempt({
      problem: "the authority gives no more certificates for now (rate limit)",
      cure: "wait",
      notBefore: now + dayMs,
      isCounted: true,
    }),
  })
  expect(await world.findings()).toEqual([
    "warn | the authority gives no more certificates for now (rate limit) | wait; the next attempt is at 2026-11-26T12:00:00Z",
    `warn | ${closed}`,
  ])
})

test("a certificate that is about to expire is bad, whatever the reason", async () => {
  await using world = await machine({ certificate: await certificate(3), attempt: null })
  const plain = world.answers(secret)
  expect(await world.findings()).toEqual([
    'bad | it expires at 2026-11-28T12:00:00Z, and was to be renewed at 2026-10-29T12:00:00Z | look for "no new certificate" in the log; the next attempt is at 2026-11-25T12:00:00Z',
    "ok | localhost (127.0.0.1) reaches this server on port PORT",
  ])
  await plain.stop()
})

test("a good certificate is shown with its names and its renewal; another server at the name is found", async () => {
  await using world = await machine({ certificate: await certificate(80), attempt: attempt(null) })
  const other = world.answers("the secret of another server, 32 bytes long")
  expect(await world.findings()).toEqual([
    "ok | for localhost; renewed at 2027-01-14T12:00:00Z",
    "warn | another server answers at localhost (127.0.0.1) on port PORT | let its DNS records lead to this machine, and port PORT to 80",
  ])
  await other.stop()
})

test("a name that DNS does not know is told", async () => {
  await using world = await machine(null, "nowhere.invalid")
  expect(await world.findings()).toContain(
    "bad | nowhere.invalid is not in DNS | make an A or AAAA record that leads to this machine",
  )
})

test("a damaged file is told with its cure", async () => {
  await using world = await machine({})
  const path = join(world.folder, "state/acme.json")
  writeFileSync(path, "{")
  expect(await world.findings()).toEqual([
    `bad | server.state_dir: ${path} cannot be used: it is damaged; remove it, and the server begins again | see server.state_dir`,
  ])
})

const publicAuthority = "https://acme.example.invalid/directory"
const impossible = (name: string) =>
  `bad | only this network reaches ${name}, so the check of the authority (HTTP-01) cannot work | ` +
  "let a proxy with DNS-01 get the certificate (Caddy, Traefik, or certbot with the plugin of your DNS), or give files of your own " +
  "(server.tls_cert, server.tls_key), or name your company's own authority in server.acme_directory"

test("a name with a private address, or of this network alone, cannot be checked by an authority of the internet", async () => {
  await using known = await machine(null, "localhost", publicAuthority)
  expect((await known.findings())[1]?.replace(/ \(127[^)]*\)/, " (127.0.0.1)")).toBe(
    impossible("localhost (127.0.0.1)"),
  )
  for (const name of ["rewards.corp", "rewards.home.arpa", "rewards.local"]) {
    await using unknown = await machine(null, name, publicAuthority)
    expect((await unknown.findings())[1]).toBe(impossible(name))
  }
})

test("while such a name has a good certificate, only its port is looked at", async () => {
  await using world = await machine({ certificate: await certificate(80) }, "localhost", publicAuthority)
  expect((await world.findings())[1]).toStartWith("warn | port PORT of localhost")
})
