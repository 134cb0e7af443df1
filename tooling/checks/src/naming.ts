/**
 * Reports four problems:
 *
 * - files whose names do not describe their content
 * - notes about work that is still to be done
 * - names of folders on a developer's machine, and names of package registries
 * - class members whose names begin with `#`, although the members contain no secret
 */
import { posix } from "node:path"
import { lineAt } from "./source.ts"
import { conclude, files, packages, read } from "./workspace.ts"

const isCode = (file: string): boolean => /\.(ts|tsx|mts|js|mjs|css|html)$/.test(file)
/** Whether a file was generated or was recorded from a server. Only the name of such a file is checked, and not its text. */
const isMade = (file: string): boolean => /(^|\/)(generated|fixtures|pnpm-lock\.yaml|CHANGELOG\.md)(\/|$)/.test(file)
const isText = (file: string): boolean =>
  isCode(file) || /\.(json|jsonc|md|ya?ml|sh)$|(^|\/)\.[^/]+$|\.ci\/run$/.test(file)

const forbidden: ReadonlyArray<readonly [pattern: RegExp, why: string]> = [
  [
    /\b(?:registry\.(?:npmjs|yarnpkg|npmmirror)\.|npm\.jsr\.)\w+|\bnpmjs\.(?:com|org)/g,
    "names a package registry's host"
  ],
  [/(?<![\w.])\/(?:home|Users|root|work|tmp)\/[\w.-]+|\b[A-Z]:\\Users\\/g, "names a folder of a developer's machine"],
  [/\b(?:TO)(?:DO)\b|\bFIX(?:ME)\b/g, "leaves work behind; do it or write an issue"]
]

/**
 * Packages in which names with `#` are only for members that contain secrets. Programs that print or compare an object ignore such members.
 * All other members that users must not access are `private`.
 */
const PRIVATE = /^packages\/(?:core|protocol|server|emulator|proxy|transport-\w+)\/src\//
const HASH_MEMBER = /^\s+(?:static |readonly |async |get |set )*#(\w+)/gm
const SECRETS = /^(?:secret|tail|password|key|previousKey|options)$/

const problems: Array<string> = []
const all = files()
for (const file of all) {
  const name = posix.basename(file).replace(/\..*$/, "")
  if (isCode(file) && /^(utils?|common|helpers?|misc)$/i.test(name))
    problems.push(`${file}: name it after what it does`)
  if (/\/src\/(.*\/)?internal\/[^/]*$/.test(file) && /^[A-Z]/.test(name)) {
    problems.push(`${file}: modules under internal/ begin with a lower-case letter`)
  }
  if (isMade(file) || !isText(file)) continue
  const text = read(file)
  if (PRIVATE.test(file)) {
    for (const [, member] of text.matchAll(HASH_MEMBER)) {
      if (!SECRETS.test(member!)) problems.push(`${file}: #${member} is not a secret, so make it private`)
    }
  }
  for (const [pattern, why] of forbidden) {
    for (const match of text.matchAll(pattern))
      problems.push(`${file}:${lineAt(text, match.index)}  "${match[0]}" ${why}`)
  }
}
for (const { dir, manifest } of packages()) {
  for (const path of Object.values(manifest.exports ?? {})) {
    const name = posix.basename(path)
    if (
      /\.tsx?$/.test(name) &&
      !/^([A-Z]\w*|index|machines|query|engine|rcon|master|log|scan|address|transport|promises|effect|schemas|text|testing)\.tsx?$/.test(
        name
      )
    )
      problems.push(`${dir}: public module ${path} is not in PascalCase`)
  }
}
conclude(problems, `${all.length} files are named well`)
