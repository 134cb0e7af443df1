/** Collects the licence notices of third-party code in a bundle. */
import { globSync, readFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import type { Plugin } from "rolldown"

/** The line between two notices. */
export const RULE = `\n${"-".repeat(80)}\n\n`

/**
 * Returns the licence notices of the packages in `node_modules` that contain at least one of `modules`. Above each notice, a heading
 * contains the package's name, version and licence.
 */
export const collectNotices = (modules: Iterable<string>): string => {
  const folders = new Set<string>()
  for (const module of modules) {
    const folder = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/.exec(module)?.[0]
    if (folder !== undefined && isAbsolute(folder)) folders.add(folder)
  }
  const notices = [...folders].map((folder) => {
    const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly name: string
      readonly version: string
      readonly license: string
    }
    const [file] = globSync("{licen[cs]e,LICEN[CS]E,Licen[cs]e}*", { cwd: folder })
    if (file === undefined) throw new Error(`${name} has no notice that could be passed on`)
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`
  })
  return notices.toSorted().join(RULE)
}

/** A plugin that adds a file with the notices of the bundled packages. */
export const notices: Plugin = {
  name: "notices",
  generateBundle(_, files) {
    const modules = Object.values(files).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    this.emitFile({ type: "asset", fileName: "NOTICES.txt", source: collectNotices(modules) })
  }
}
