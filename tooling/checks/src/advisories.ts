/**
 * Reports known vulnerabilities in the dependencies that users install. The package registry provides the list of vulnerabilities. If no
 * list is available (no network, or a mirror of the registry without a list), the check prints a message and passes. The risk of passing
 * without a list is small: the lockfile pins all versions, so a dependency changes only with a commit.
 */
import { spawnSync } from "node:child_process"
import { conclude, root } from "./workspace.ts"

/** The fields of `pnpm audit --json` that this check reads. */
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
  advisories === undefined ? "not checked: the registry provides no advisories" : "no known advisories"
)
