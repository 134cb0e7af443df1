/** The findings of past campaigns, one file each. They stay, as regression tests. */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Finding } from "./Input.ts"

const folder = fileURLToPath(new URL("../findings/", import.meta.url))

/** Every finding, with the name of its file. */
export const readFindings = (): ReadonlyArray<Finding & { readonly file: string }> =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name.endsWith(".json"))
    .map(({ name }) => ({ ...(JSON.parse(readFileSync(folder + name, "utf8")) as Finding), file: name }))

/** Writes a finding under a name of its own; the path from the root. */
export const writeFinding = (finding: Finding): string => {
  const hash = createHash("sha256").update(finding.parts.join(" ")).digest("hex").slice(0, 8)
  const name = `${finding.target.replaceAll(/[^a-z0-9]+/g, "-").replace(/-$/, "")}-${hash}.json`
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + name, `${JSON.stringify(finding, null, 2)}\n`)
  return `tooling/fuzz/findings/${name}`
}
