import { expect, test } from "bun:test"
import { join } from "node:path"

const unit = join(import.meta.dir, "../../tooling/packaging/rewards.service")
const guide = Bun.file(join(import.meta.dir, "../../docs/operations/hardening.md"))

test("the systemd unit removes the rights that a server does not need", async () => {
  const lines = (await Bun.file(unit).text()).split("\n")

  for (const line of ["User=rewards", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict"])
    expect(lines).toContain(line)
})

test("the unit lets the server say when it is ready, and restarts one that gives no sign of life", async () => {
  const lines = (await Bun.file(unit).text()).split("\n")

  for (const line of ["Type=notify", "WatchdogSec=30", "Restart=on-failure", "TimeoutStartSec=infinity"])
    expect(lines).toContain(line)
})

if (Bun.which("systemd-analyze"))
  test("systemd rates the unit's exposure as the guide says", async () => {
    const [, told = ""] = /`systemd-analyze security rewards` gives it ([\d.]+) of 10/.exec(await guide.text()) ?? []
    const { stdout } = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "--no-pager", unit])

    expect(stdout.toString()).toContain(`Overall exposure level for rewards.service: ${told} OK`)
  })
