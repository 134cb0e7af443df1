import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const lines = readFileSync(new URL("../Containerfile", import.meta.url), "utf8")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM")))

it("the image contains only the copied files, has no shell, and runs as an unprivileged user", () => {
  expect(last.map((line) => line.split(" ")[0])).toEqual(["FROM", "COPY", "USER", "ENTRYPOINT"])
  expect(last[0]).toBe("FROM scratch")
  expect(last[2]).toMatch(/^USER [1-9]\d{3,}:[1-9]\d{3,}$/)
  expect(JSON.parse(last[3]!.slice("ENTRYPOINT ".length))).toEqual(["/sourcewire"])
})

it("the base images are pinned by version, and the built files are copied into the image", () => {
  const images = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? [])
  for (const image of images) expect(image).toMatch(/^(scratch|[\w./-]+:[\w-]*\d+\.\d+[\w.-]*)$/)
  expect(lines.some((line) => /^(ADD|MAINTAINER)\b/.test(line))).toBe(false)
  const taken = lines.flatMap((line) => line.match(/(?<=[ /])sourcewire-linux-[\w$-]+/g) ?? [])
  expect(taken).toEqual(["sourcewire-linux-x64", "sourcewire-linux-arm64", "sourcewire-linux-$platform"])
})
