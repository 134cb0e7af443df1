/**
 * The last step of `pnpm release`: publishes new versions. Release candidates get a separate tag (`rc`), so that users get a release
 * candidate only if they request it.
 */
import { spawnSync } from "node:child_process"
import { published, root } from "./workspace.ts"

const tag = /-([a-z]+)\./.exec(published[0]!.manifest.version!)?.[1] ?? "latest"
const args = ["publish", "--recursive", "--access", "public", "--tag", tag, ...process.argv.slice(2)]
const { status } = spawnSync("pnpm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" })
process.exitCode = status ?? 1
