/**
 * Bundles the main entry of a transport, or of `@sourcewire/games`, so that users need no other package. The bundled code and the bundled
 * declarations contain the parts of Effect and of our other packages that the entry uses. Modules that the entry loads with `import()`
 * become chunks. The code is not minified, so that stack traces are readable. First build all packages that the entry imports, and run
 * `declarations.ts`. Then run this program in the package's directory.
 *
 * If the package's main entry has the condition `module` in package.json, this program also writes `bundled.js`, which the bundlers of
 * users read. This file contains the code of all chunks, and no `import()`. Bundlers remove the unused parts of this file that are marked
 * as pure. If the code were divided into chunks, esbuild would keep all code that at least one of the chunks uses.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import { dts } from "rolldown-plugin-dts"
import { parseSync } from "rolldown/utils"
import { collectNotices, RULE } from "./notices.ts"
import { wrapped } from "./wrapped.ts"

interface Manifest {
  readonly publishConfig: {
    readonly exports: Readonly<Record<string, { readonly types: string; readonly module?: string }>>
  }
}

const manifestIn = (directory: string): Manifest => JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
const { exports } = manifestIn(".").publishConfig

const whole = { input: { index: "src/index.ts" }, platform: "node", transform: { target: "node22" } } as const
const comments = { legal: true, annotation: true, jsdoc: false }

const code = await rolldown(whole)
const { output } = await code.write({ dir: "dist", chunkFileNames: "promises/[name].js", comments })

/** Replaces each `import()` in our modules with a static import. */
const importedAtOnce: Plugin = {
  name: "imported-at-once",
  transform: {
    order: "pre",
    handler: (text, id) => {
      if (!id.endsWith(".ts")) return null
      const imports: Array<string> = []
      const changed = text.replaceAll(/\bimport\(("[^"]+")\)/g, (_, path: string) => {
        imports.push(`import * as loaded${imports.length} from ${path}\n`)
        return `Promise.resolve(loaded${imports.length - 1})`
      })
      return imports.length === 0 ? null : imports.join("") + changed
    }
  }
}
/**
 * Marks object literals as pure if they have computed names or spread properties. Without this mark, esbuild assumes that such a literal
 * has side effects, and keeps the object even if it is unused. Effect's prototypes are such objects. Therefore, without the mark, a bundle
 * would contain every unused prototype, and all code that the methods of this prototype call.
 */
const pureObjects: Plugin = {
  name: "pure-objects",
  renderChunk: (text) => {
    const objects = parseSync("bundled.js", text)
      .program.body.flatMap((statement) => (statement.type === "VariableDeclaration" ? statement.declarations : []))
      .flatMap(({ init }) =>
        init?.type === "ObjectExpression" && init.properties.some((one) => one.type === "SpreadElement" || one.computed)
          ? [{ start: init.start, end: init.end, before: "/* @__PURE__ */ (() => (", behind: "))()" }]
          : []
      )
    return wrapped(text, objects)
  }
}

if (exports["."]!.module !== undefined) {
  const bundled = await rolldown({ ...whole, plugins: [importedAtOnce, pureObjects] })
  await bundled.write({ dir: "dist", entryFileNames: "bundled.js", comments })
}

const modules = output.flatMap((one) => (one.type === "chunk" ? Object.keys(one.modules) : []))
writeFileSync(
  "dist/THIRD-PARTY-NOTICES.txt",
  `The code in this folder has parts of:\n${RULE}${collectNotices(modules)}`
)

/**
 * Replaces imports of our other packages by imports of their built declarations, because the field `exports` in the `package.json` of
 * these packages refers to source files. Also removes the declarations of the codecs from `generated/codecs.d.ts`, because the entry uses
 * only the types in this file.
 */
const builtDeclarations: Plugin = {
  name: "built-declarations",
  resolveId: {
    order: "pre",
    handler: (specifier) => {
      const [, folder, path = ""] = /^@sourcewire\/([\w-]+)(\/.+)?$/.exec(specifier) ?? []
      if (folder === undefined) return null
      const directory = resolve("..", folder)
      return join(directory, manifestIn(directory).publishConfig.exports[`.${path}`]!.types)
    }
  },
  transform: {
    order: "pre",
    handler: (text, id) =>
      id.endsWith("generated/codecs.d.ts") ? text.replaceAll(/^export declare const \w+: Codec<\w+>;$/gm, "") : null
  }
}

const declarations = await rolldown({
  input: { index: "dist/index.d.ts" },
  external: [/^node:/, /^effect\//],
  plugins: [builtDeclarations, dts({ dtsInput: true, emitDtsOnly: true })]
})
await declarations.write({ dir: "dist" })
rmSync("dist/index.d.ts.map", { force: true })
// If the main entry is the only entry of the package, `index.d.ts` contains all declarations, and the other declaration files are not
// needed.
if (Object.keys(exports).length === 1) {
  for (const file of globSync("dist/**/*.d.ts*")) if (file !== join("dist", "index.d.ts")) rmSync(file)
}

const [foreign] = /^(?:import|export) .* from "(?!\.).*$/m.exec(readFileSync("dist/index.d.ts", "utf8")) ?? []
if (foreign !== undefined) throw new Error(`The declarations import a package that users may not have: ${foreign}`)
