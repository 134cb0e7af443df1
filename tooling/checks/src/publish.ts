/**
 * The last step of `pnpm release`: publishes new versions. Release candidates are published with the npm tag `rc`, so that users install
 * a release candidate only if they request this tag.
 */
import { spawnSync } from "node:child_process"
import { published, root } from "./workspace.ts"

const tag = /-([a-z]+)\./.exec(published[0]!.manifest.version!)?.[1] ?? "latest"
const args = ["publish", "--recursive", "--access", "public", "--tag", tag, ...process.argv.slice(2)]
const { status } = spawnSync("pnpm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" })
process.exitCode = status ?? 1
