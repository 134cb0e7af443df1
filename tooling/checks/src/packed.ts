/**
 * The packages as they would be published: each is packed after a build, then read by publint and by Are The Types
 * Wrong, and searched for what must not leave the workspace. ES modules only, so the profile is `esm-only`.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { conclude, published, root } from "./workspace.ts"

const scratch = mkdtempSync(join(tmpdir(), "sourcewire-packed-"))
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }))

const problems: Array<string> = []

/** Whatever `pnpm pack` made for a package in `dir`, unpacked; with the path of the tarball. */
const pack = (dir: string): { readonly tarball: string; readonly unpacked: string } => {
  const destination = mkdtempSync(join(scratch, "pack-"))
  execFileSync("pnpm", ["pack", "--pack-destination", destination], {
    cwd: join(root, dir),
    stdio: "pipe",
    shell: process.platform === "win32"
  })
  const [tarball] = globSync(join(destination, "*.tgz"))
  execFileSync("tar", ["-xzf", tarball!, "-C", destination])
  return { tarball: tarball!, unpacked: join(destination, "package") }
}

for (const { dir, manifest } of published) {
  const { tarball, unpacked } = pack(dir)
  const complain = (what: string) => problems.push(`${manifest.name}: ${what}`)

  const { messages, pkg } = await publint({ pkgDir: unpacked, strict: true, pack: false })
  for (const message of messages) complain(`publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`)

  const packed = readFileSync(join(unpacked, "package.json"), "utf8")
  if (packed.includes("workspace:")) complain("its package.json still says workspace:")

  for (const file of globSync("dist/**/*.{js,d.ts}", { cwd: unpacked })) {
    const text = readFileSync(join(unpacked, file), "utf8")
    const specifier = /(?:\bfrom |\bimport\(|\bimport )"(\.[^"]*\.ts)"/.exec(text)
    if (specifier !== null) complain(`${file} imports ${specifier[1]}, which consumers don't have`)
    if (/(?:\bfrom |\bimport\()"[^"]*(?:node_modules|\/src\/)/.test(text))
      complain(`${file} imports from a source tree`)
  }

  if (manifest.exports !== undefined) {
    const attw = spawnSync("attw", [tarball, "--profile", "esm-only", "--no-color", "--no-emoji"], {
      cwd: join(root, "tooling", "checks"),
      encoding: "utf8",
      shell: process.platform === "win32",
      env: { ...process.env, PATH: `${join(root, "tooling/checks/node_modules/.bin")}:${process.env["PATH"]}` }
    })
    if (attw.status !== 0) complain(`attw:\n${attw.stdout}${attw.stderr}`)
  }
}
conclude(problems, `${published.length} packages are fit to publish`)
