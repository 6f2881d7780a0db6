import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cyclonedxEsbuildPlugin } from "@cyclonedx/cyclonedx-esbuild"
import { Version } from "@cyclonedx/cyclonedx-library/Spec"
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation"
import { bundling, entrypoint, threads } from "../../build.ts"
import { uiEntrypoint } from "../bundle/ui.ts"

/** The parts of a CycloneDX document that are used here. */
export interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

interface Component {
  readonly type: string
  readonly "bom-ref": string
  readonly name: string
  readonly group?: string
  readonly version?: string
  readonly purl?: string
  readonly licenses?: readonly License[]
  readonly evidence?: { readonly licenses?: readonly License[] }
}

interface License {
  readonly expression?: string
  readonly license?: {
    readonly id?: string
    readonly name?: string
    readonly text?: { readonly content: string; readonly encoding?: "base64" }
  }
}

const specification = Version.v1dot6

/** The bill of materials as CycloneDX: every package of which the bundle contains a part, with its licence, and the
 *  runtime. The same sources give the same document. @throws Error when it does not match the schema */
export async function billOfMaterials(): Promise<Bom> {
  const bom = withRuntime(await bundled())
  const faults = await new JsonStrictValidator(specification).validate(textOf(bom))
  if (faults !== null) throw new Error(`the bill of materials does not fit its schema: ${JSON.stringify(faults)}`)
  return bom
}

export const textOf = (bom: Bom): string => `${JSON.stringify(bom, null, 2)}\n`

/** The licences of everything inside, which must accompany the executable. */
export function notices({ components }: Bom): string {
  const sections = components.map((component) => {
    const texts = (component.evidence?.licenses ?? []).map(({ license }) => decoded(license?.text))
    const title = `${fullName(component)} ${component.version ?? ""} (${licenseOf(component)})`
    return [title, "=".repeat(title.length), ...texts].join("\n\n").trim()
  })
  return `${[preface, ...sections].join("\n\n\n")}\n`
}

/** The style sheet is built from these, outside the bundler. */
const styled = ["tailwindcss", "daisyui"].map((name) => Bun.resolveSync(`${name}/package.json`, import.meta.dir))

async function bundled(): Promise<Bom> {
  const outdir = await mkdtemp(join(tmpdir(), "rewards-bom-"))
  try {
    const describe = cyclonedxEsbuildPlugin({
      outputFile: "bom.json",
      specVersion: specification,
      outputReproducible: true,
      gatherLicenseTexts: true,
      logLevel: "silent",
    })
    await Bun.build({
      ...bundling,
      entrypoints: [entrypoint, ...threads, uiEntrypoint, ...styled],
      target: "bun",
      outdir,
      metafile: true,
      plugins: [describe],
    })
    return JSON.parse(await readFile(join(outdir, "bom.json"), "utf8")) as Bom
  } finally {
    await rm(outdir, { recursive: true })
  }
}

/** The bundler does not list the runtime itself. */
function withRuntime(bom: Bom): Bom {
  const ref = `bun@${Bun.version}`
  const runtime: Component = {
    type: "platform",
    "bom-ref": ref,
    name: "bun",
    version: Bun.version,
    licenses: [{ license: { id: "MIT" } }],
    purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}`,
  }
  const root = bom.metadata.component["bom-ref"]
  return {
    ...bom,
    components: [...bom.components, runtime],
    dependencies: [
      ...bom.dependencies.map((one) =>
        one.ref === root ? { ...one, dependsOn: [...(one.dependsOn ?? []), ref].sort() } : one,
      ),
      { ref },
    ],
  }
}

const preface = `rewards contains the following software. Bun itself contains JavaScriptCore (LGPL-2.1), SQLite (public domain),
BoringSSL, zlib and others, which https://bun.com/docs/project/licensing lists with their licences and sources.`

const decoded = (text: NonNullable<License["license"]>["text"]): string =>
  text === undefined ? "" : text.encoding === "base64" ? Buffer.from(text.content, "base64").toString() : text.content

const fullName = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)

const licenseOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name ?? "?").join(", ") || "?"
