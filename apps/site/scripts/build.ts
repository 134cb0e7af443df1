/**
 * Builds the site. The site consists of the reference that is generated from doc comments, the pages of `docs`, the playground, and all
 * pages as Markdown for programs (`llms.txt`). The site is static, and its pages send no requests to other hosts. The site works only under
 * the path that was passed to the build.
 *
 *     pnpm docs:build                       builds the site for the root of a host, into apps/site/dist
 *     pnpm docs:build --base /sourcewire/   builds the site for the path /sourcewire/
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { build } from "vitepress"
import { writeTexts } from "./texts.ts"

const here = fileURLToPath(new URL("..", import.meta.url))
const root = join(here, "..", "..")

const { values } = parseArgs({ options: { base: { type: "string" }, out: { type: "string" } } })
const { base = "/", out = join(here, "dist") } = values
const run = (cwd: string, command: string, ...args: ReadonlyArray<string>): void => {
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" })
}

run(root, process.execPath, "tooling/docs/src/api.ts")
await build(here, { base, outDir: out })
const playground = ["--outDir", join(out, "playground"), "--emptyOutDir"]
run(join(root, "apps/playground"), "pnpm", "exec", "vite", "build", ...playground)
writeTexts(join(root, "docs"), out)
