/**
 * Known vulnerabilities in what reaches users, as the package registry tells them. Where it does not answer (no network, a mirror
 * without advisories), that is said, and nothing fails: what is installed has not changed, the lockfile pins it.
 */
import { spawnSync } from "node:child_process"
import { conclude, root } from "./workspace.ts"

/** What is read of `pnpm audit --json`. */
interface Audit {
  readonly advisories?: Readonly<
    Record<string, { readonly module_name: string; readonly severity: string; readonly title: string }>
  >
}

const PATIENCE_MS = 30_000

const audit = (): Audit => {
  const { stdout } = spawnSync("pnpm", ["audit", "--prod", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: PATIENCE_MS,
    shell: process.platform === "win32"
  })
  try {
    return JSON.parse(stdout) as Audit
  } catch {
    return {}
  }
}

const { advisories } = audit()
const problems = Object.values(advisories ?? {}).map(
  ({ module_name, severity, title }) => `${module_name}: ${title} (${severity})`
)
conclude(
  problems,
  advisories === undefined ? "not checked: the registry tells no advisories here" : "no known advisories"
)
