/**
 * Checks the packages in their published form. Each package is built and packed, checked by publint and by Are The Types Wrong (attw),
 * and searched for imports that work only in the workspace. attw checks all kinds of module resolution, including node10. One of its rules
 * forbids that `require` in a CommonJS module loads an ES module. This rule is disabled, because the packages contain only ES modules.
 */
import { globSync, mkdirSync, mkdtempDisposableSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { packAll, run } from "../../packaging/src/packed.ts"
import { findImports, packageName } from "./source.ts"
import { conclude, packages, published, root } from "./workspace.ts"

const scratch = mkdtempDisposableSync(join(tmpdir(), "sourcewire-packed-"))
process.on("exit", () => scratch.remove())

const problems: Array<string> = []
/** The names of our packages that are not published. */
const internal = new Set(packages().map(({ manifest }) => manifest.name))
for (const { manifest } of published) internal.delete(manifest.name)
const attw = fileURLToPath(new URL("dist/index.js", import.meta.resolve("@arethetypeswrong/cli/package.json")))

const tarballs = await packAll(scratch.path, ["./packages/*", "sourcewire"])
for (const { manifest } of published) {
  const tarball = tarballs[manifest.name]!
  const unpacked = `${tarball}-unpacked`
  mkdirSync(unpacked)
  await run("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"], root)
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
    const missing = findImports(file, text).find((one) => internal.has(packageName(one.specifier)))
    if (missing !== undefined) complain(`${file} imports ${missing.specifier}, which is not published`)
  }

  if (manifest.exports !== undefined) {
    const args = [attw, tarball, "--ignore-rules", "cjs-resolves-to-esm", "--no-color", "--no-emoji"]
    await run(process.execPath, args, root).catch(({ message }: Error) => complain(`attw:\n${message}`))
  }
}
conclude(problems, `${published.length} packages are fit to publish`)
