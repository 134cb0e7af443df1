import { build } from "esbuild"
import { expect, it } from "vitest"

it("a bundle of the functions that return promises contains no code for spans, metrics or schemas", async () => {
  const { metafile } = await build({
    stdin: {
      contents: `export { connect, logs, master, rcon, scan } from "@sourcewire/transport-node"`,
      resolveDir: import.meta.dirname
    },
    bundle: true,
    format: "esm",
    platform: "node",
    metafile: true,
    write: false
  })
  const [output] = Object.values(metafile.outputs)
  const present = Object.entries(output!.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : []
  )
  expect(present.some((path) => path.includes("packages/core/"))).toBe(true)
  expect(present.filter((path) => /telemetry|chemas\.ts|effect\/(dist|src)\/(Schema|Metric)\./.test(path))).toEqual([])
})
