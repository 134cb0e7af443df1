/**
 * Checks that the README of a published package begins with the installation command. The command must include all packages that the
 * programs of the README import.
 */
import { expect, it } from "vitest"
import { packages, read } from "../src/workspace.ts"

const published = packages().filter(({ manifest }) => manifest.private !== true)

it.each(published)(
  "the README of $dir begins with the installation of all packages that its programs import",
  ({ dir, manifest }) => {
    const [, language, first] = /^```(\w+)\n([^\n]+)\n```$/m.exec(read(`${dir}/README.md`)) ?? []
    expect(language).toBe("sh")
    const words = first!.split(" ").map((word) => word.replace(/^npm:/, ""))
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
      (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true
    )
    const imports = [...read(`${dir}/README.md`).matchAll(/ from "((?:@\w+\/)?[\w-]+)/g)].map(([, name]) => name!)
    expect(words).toEqual(expect.arrayContaining([manifest.name, ...peers, ...imports]))
  }
)
