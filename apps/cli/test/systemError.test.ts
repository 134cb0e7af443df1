import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { explainSystemError } from "../src/systemError.ts"
import { run } from "./runCli.ts"

it("the error about an unreadable file contains an explanation and the system's error code", async () => {
  const missing = await readFile(join(tmpdir(), "sourcewire-nothing", "here")).catch(explainSystemError)
  expect(missing).toBe("there is no such file or directory [ENOENT]")
  expect(await readFile(tmpdir()).catch(explainSystemError)).toBe("it is a directory [EISDIR]")
})

it("an unknown error is explained by its message or by its code", () => {
  expect(explainSystemError(new Error("it is too large."))).toBe("it is too large")
  expect(explainSystemError(Object.assign(new Error("odd"), { code: "EODD" }))).toBe(
    "the operating system reports an error [EODD]"
  )
  expect(explainSystemError("text")).toBe("text")
})

it.each([
  [["info", "--file", "no-such-file"], "Cannot read no-such-file: there is no such file or directory [ENOENT]."],
  [["scan", "--file", "no-such-file"], "Cannot read no-such-file: there is no such file or directory [ENOENT]."],
  [["decode", "--pcap", "no-such-file"], "Cannot read no-such-file: there is no such file or directory [ENOENT]."],
  [["proxy", "--config", "no-such-file"], "Cannot read no-such-file: there is no such file or directory [ENOENT]."],
  [["monitor", "--config", "no-such-file"], "Cannot read no-such-file: there is no such file or directory [ENOENT]."]
])("the command %j explains that the file does not exist", async (args, message) => {
  const { exitCode, stderr } = await run(args)
  expect(stderr.trim()).toBe(`sourcewire: ${message}`)
  expect(exitCode).not.toBe(0)
})
