import { expect, test } from "bun:test"
import { join } from "node:path"
import { certificateOf, lifetimeProblem } from "../../../src/cli/support/certificate.ts"
import { openTestApp } from "../../support/app.ts"
import { createAuthority } from "../../support/authority.ts"
import { temporaryFolder } from "../../support/executable.ts"

const authority = await createAuthority()
const ours = await authority.issue(["rewards.example.com"])
const others = await authority.issue(["other.example.com"])

/** What the settings `cert` and `key` come to, in a folder with these files. */
async function reading(files: Readonly<Record<string, string>>, tls_cert: string | null, tls_key: string | null) {
  await using folder = await temporaryFolder()
  await using opened = await openTestApp()
  const { server } = opened.app.config
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, name), text)
  try {
    return certificateOf({ server: { ...server, tls_cert, tls_key } }, folder.path)
  } catch (error) {
    return String(error).split("\n")
  }
}

test("certificate and key are read relative to the working directory; there are none unless set", async () => {
  const files = { "cert.pem": ours.cert, "key.pem": ours.key }
  expect(await reading(files, "cert.pem", "key.pem")).toEqual(ours)
  expect(await reading(files, null, null)).toBeNull()
})

test("the certificate chain is loaded with the certificate", async () => {
  const cert = `${ours.cert}\n${authority.pem}`
  expect(await reading({ cert, key: ours.key }, "cert", "key")).toEqual({ cert, key: ours.key })
})

for (const [what, files, ...told] of [
  [
    "both files are missing",
    {},
    "Refusal: server.tls_cert: cert cannot be read: there is no such file",
    "server.tls_key: key cannot be read: there is no such file",
  ],
  [
    "they are exchanged",
    { cert: ours.key, key: ours.cert },
    "Refusal: server.tls_cert: cert holds no certificate in PEM form",
    "server.tls_key: key holds no private key in PEM form without a passphrase",
  ],
  [
    "they are empty",
    { cert: "", key: "" },
    "Refusal: server.tls_cert: cert holds no certificate in PEM form",
    "server.tls_key: key holds no private key in PEM form without a passphrase",
  ],
  [
    "the key is another's",
    { cert: ours.cert, key: others.key },
    "Refusal: server.tls_key: key is not the key of the first certificate in cert",
  ],
  [
    "the chain stands in the wrong order",
    { cert: `${authority.pem}\n${ours.cert}`, key: ours.key },
    "Refusal: server.tls_key: key is not the key of the first certificate in cert",
  ],
] as const)
  test(`a certificate is refused if ${what}`, async () => {
    expect(await reading(files, "cert", "key")).toEqual([...told])
  })

test("a certificate that has expired, expires within two weeks, or is not valid yet is reported", async () => {
  const { cert } = await authority.issue(["rewards.example.com"], {
    notBefore: new Date("2026-02-01T00:00:00Z"),
    notAfter: new Date("2026-05-01T12:00:00Z"),
  })
  const on = (date: string) => lifetimeProblem(cert, Date.parse(date))

  expect(on("2026-01-31T23:59:59Z")).toBe("the certificate is not valid yet: check this machine's clock")
  expect(on("2026-02-01T00:00:00Z")).toBeNull()
  expect(on("2026-04-17T12:00:00Z")).toBeNull()
  expect(on("2026-04-17T12:00:01Z")).toBe("the certificate expires on 2026-05-01: renew it")
  expect(on("2026-05-01T12:00:00Z")).toBe("the certificate expired on 2026-05-01: renew it")
})
