import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { extract } from "tar"
import { dependencies, version } from "../../package.json"
import { canPackage } from "../../tooling/release/debian.ts"
import { release } from "../../tooling/release/release.ts"
import type { Bom } from "../../tooling/release/sbom.ts"
import { type Target, targets, targetsNamed } from "../../tooling/release/targets.ts"
import { temporaryFolder } from "../support/executable.ts"
import { canInstall, onThisMachine } from "./machine.ts"

/** This machine, as if it were a Debian: built with the Bun that is here, so that nothing is downloaded. */
const here: Target = { name: "linux-x64", bun: null, os: "linux", debian: "amd64" }
const date = new Date("2026-11-21T12:00:00Z")

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let sums: string
const told: string[] = []
const made = (name: string) => join(folder.path, "one", name)

beforeAll(async () => {
  folder = await temporaryFolder()
  sums = await build("one")
}, 180_000)
afterAll(() => folder[Symbol.asyncDispose]())

const build = (name: string) =>
  release({ targets: [here], out: join(folder.path, name), date, level: 0, tell: (line) => told.push(line) })

test("the same sources make the same release, byte for byte", async () => {
  expect(await build("two")).toBe(sums)
}, 180_000)

test("SHA256SUMS has the checksum of every file", () => {
  const files = readdirSync(join(folder.path, "one")).filter((name) => name !== "SHA256SUMS")
  const sumOf = (name: string) => new Bun.CryptoHasher("sha256").update(readFileSync(made(name))).digest("hex")
  expect(readFileSync(made("SHA256SUMS"), "utf8")).toBe(sums)
  expect(sums).toBe(
    files
      .sort()
      .map((name) => `${sumOf(name)}  ${name}\n`)
      .join(""),
  )
  const debian = canPackage() ? [`rewards_${version}_amd64.deb`] : []
  expect(files).toEqual([
    ...[`rewards-${version}-linux-x64.tar.gz`, `rewards-${version}.cdx.json`],
    ...[`rewards-client-${version}.tgz`, ...debian],
  ])
  expect(told).toContain("linux-x64")
})

test("the page about installing names every file of a release, and the client's own page how to install it", () => {
  const page = readFileSync("docs/operations/install.md", "utf8")
  const general = (name: string) => name.replace(version, "VERSION")
  for (const name of readdirSync(join(folder.path, "one"))) expect(page).toContain(`\`${general(name)}\``)
  expect(readFileSync("client/README.md", "utf8")).toContain(`npm install ./rewards-client-${version}.tgz`)
})

test("the client is an npm package whose scripts run and have types", async () => {
  await using place = await temporaryFolder()
  await extract({ file: made(`rewards-client-${version}.tgz`), cwd: place.path })
  const root = join(place.path, "package")

  expect(await Bun.file(join(root, "package.json")).json()).toMatchObject({ name: "rewards-client", version })
  const { verifyWebhook } = await import(join(root, "dist/webhook.js"))
  await expect(verifyWebhook("", {}, "")).rejects.toThrow("too old")
  expect(readFileSync(join(root, "dist/client.d.ts"), "utf8")).toContain('from "./schema.js"')
})

test("the unpacked archive has a working program and the documents to read first", async () => {
  await using place = await temporaryFolder()
  await extract({ file: made(`rewards-${version}-linux-x64.tar.gz`), cwd: place.path })
  const root = join(place.path, `rewards-${version}-linux-x64`)
  const { stdout } = Bun.spawnSync([join(root, "rewards"), "version"], { cwd: place.path })

  expect(stdout.toString()).toBe(`rewards ${version} (Bun ${Bun.version})\n`)
  expect(readdirSync(root).sort()).toEqual(
    [
      ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "THIRD-PARTY.txt", "docs"],
      ...["completions", "rewards", "rewards.1", "rewards.service"],
    ].sort(),
  )
  expect(readdirSync(join(root, "docs/operations"))).toContain("monitoring.md")
  expect(readdirSync(join(root, "completions")).sort()).toEqual(["_rewards", "rewards.bash", "rewards.fish"])
  expect(readFileSync(join(root, "rewards.1"), "utf8")).toStartWith(".TH REWARDS 1 ")
})

describe("the bill of materials", () => {
  const read = () =>
    JSON.parse(readFileSync(made(`rewards-${version}.cdx.json`), "utf8")) as Bom & { specVersion: string }
  const fullName = ({ group, name }: { group?: string; name: string }) => (group ? `${group}/${name}` : name)

  test("lists the contents of the executable, with the runtime and every used dependency", () => {
    const bom = read()
    const names = bom.components.map(fullName)
    expect(bom.specVersion).toBe("1.6")
    expect(fullName(bom.metadata.component)).toBe("rewards")
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), "tailwindcss", "daisyui", "bun"]))
    expect(names).not.toContain("typescript")
  })

  test("states the version, licence and address of each", () => {
    const incomplete = read().components.filter(
      ({ version, licenses = [], purl }) => !version || licenses.length === 0 || !purl?.startsWith("pkg:"),
    )
    expect(incomplete).toEqual([])
  })

  test("has no reference to a missing component", () => {
    const { components, dependencies, metadata } = read()
    const refs = new Set([metadata.component, ...components].map((component) => component["bom-ref"]))
    const referred = dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn])
    expect(referred.filter((ref) => !refs.has(ref))).toEqual([])
    expect(dependencies.flatMap(({ dependsOn = [] }) => dependsOn)).toContain(`bun@${Bun.version}`)
  })
})

test("every target has a unique name, and an unknown one is refused", () => {
  expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length)
  expect(targetsNamed([])).toBe(targets)
  expect(targetsNamed(["darwin-arm64"]).map(({ bun }) => bun)).toEqual(["bun-darwin-arm64"])
  expect(() => targetsNamed(["linux-x64", "beos"])).toThrow("no target beos; there are linux-x64, linux-arm64")
})

if (canInstall)
  describe("the Debian package", () => {
    const deb = () => made(`rewards_${version}_amd64.deb`)
    const places =
      "stat -c '%n %U:%G %a' /usr/bin/rewards /usr/lib/systemd/system/rewards.service /etc/rewards /var/lib/rewards"

    test("installs the program, its unit, a user and two folders, and the user can start the program", async () => {
      const { stdout, stderr, status } = await onThisMachine(
        deb(),
        `
        dpkg -i /given >/dev/null
        ${places}
        getent passwd rewards | cut -d: -f6,7
        cd /var/lib/rewards
        as="setpriv --reuid=rewards --regid=rewards --init-groups --reset-env"
        $as rewards init --config /etc/rewards/rewards.toml >/dev/null
        $as rewards migrate --config /etc/rewards/rewards.toml >/dev/null
        stat -c '%n %U %a' /etc/rewards/rewards.toml /var/lib/rewards/rewards.db
        test -s /usr/share/doc/rewards/copyright
        dpkg -L rewards | grep -E 'completion|/man1/' | sort`,
      )
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      expect(stdout.split("\n").slice(0, -1)).toEqual([
        "/usr/bin/rewards root:root 755",
        "/usr/lib/systemd/system/rewards.service root:root 644",
        "/etc/rewards rewards:rewards 750",
        "/var/lib/rewards rewards:rewards 750",
        "/var/lib/rewards:/usr/sbin/nologin",
        "/etc/rewards/rewards.toml rewards 600",
        "/var/lib/rewards/rewards.db rewards 600",
        "/usr/share/bash-completion",
        "/usr/share/bash-completion/completions",
        "/usr/share/bash-completion/completions/rewards",
        "/usr/share/fish/vendor_completions.d",
        "/usr/share/fish/vendor_completions.d/rewards.fish",
        "/usr/share/man/man1/rewards.1.gz",
        "/usr/share/zsh/vendor-completions",
        "/usr/share/zsh/vendor-completions/_rewards",
      ])
    }, 180_000)

    test("a package, settings and database that this machine already has do not affect these tests", async () => {
      const { stdout, stderr, status } = await onThisMachine(
        deb(),
        `
        test ! -e /etc/rewards
        test ! -e /var/lib/rewards
        getent passwd rewards || dpkg -i /given >/dev/null
        ls /etc/rewards /var/lib/rewards
        getent passwd rewards | cut -d: -f6`,
        `
        dpkg -i /given >/dev/null
        touch /etc/rewards/rewards.toml /var/lib/rewards/rewards.db`,
      )
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      expect(stdout).toBe("/etc/rewards:\n\n/var/lib/rewards:\n/var/lib/rewards\n")
    }, 180_000)

    test("keeps settings and database at an upgrade and removal, and the database at a purge", async () => {
      const { stdout, stderr, status } = await onThisMachine(
        deb(),
        `
        dpkg -i /given >/dev/null
        touch /etc/rewards/rewards.toml /var/lib/rewards/rewards.db
        dpkg -i /given >/dev/null
        ls /etc/rewards /var/lib/rewards
        dpkg -r rewards >/dev/null
        ls /etc/rewards /var/lib/rewards
        test ! -e /usr/bin/rewards
        dpkg -P rewards | tail -1
        ls /var/lib/rewards
        test ! -e /etc/rewards
        getent passwd rewards >/dev/null`,
      )
      expect({ status, stderr: stderr.replace(/^dpkg: warning: .*\n/gm, "") }).toEqual({ status: 0, stderr: "" })
      const kept = ["/etc/rewards:", "rewards.toml", "", "/var/lib/rewards:", "rewards.db"]
      expect(stdout.split("\n").slice(0, -1)).toEqual([
        ...kept,
        ...kept,
        "/var/lib/rewards holds the database and is left where it is, with its user.",
        "rewards.db",
      ])
    }, 180_000)

    test("leaves nothing when an unused installation is purged", async () => {
      const { stdout, status } = await onThisMachine(
        deb(),
        `
        dpkg -i /given >/dev/null
        dpkg -P rewards >/dev/null
        find /etc /usr /var -xdev -name '*rewards*' -newer /given
        getent passwd rewards || echo no user`,
      )
      expect({ status, stdout }).toEqual({ status: 0, stdout: "no user\n" })
    }, 180_000)
  })
