import { spawnSync } from "node:child_process"
import type * as Crypto from "node:crypto"
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { removeUnfinished, replaceFile } from "../../src/files/replaceFile.ts"

/** The bytes in the name of the next temporary file. If this variable is `undefined`, the bytes are random. */
let nextName: Buffer | undefined
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof Crypto>()
  return { ...crypto, randomBytes: (bytes: number) => nextName ?? crypto.randomBytes(bytes) }
})

let folder = ""
let file = ""
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sourcewire-replace-"))
  file = join(folder, "state.json")
})
afterEach(async () => {
  nextName = undefined
  await rm(folder, { recursive: true, force: true })
})

const posix = process.platform !== "win32"

describe("replaceFile", () => {
  it("creates a file that only its owner can read, and leaves no temporary file", async () => {
    await replaceFile(file, "first")
    expect(await readFile(file, "utf8")).toBe("first")
    if (posix) expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(["state.json"])
  })

  it.runIf(posix)("keeps the permissions of the old file, even with a strict umask", async () => {
    await writeFile(file, "old")
    await chmod(file, 0o664)
    const before = process.umask(0o077)
    try {
      await replaceFile(file, "new")
    } finally {
      process.umask(before)
    }
    expect((await stat(file)).mode & 0o777).toBe(0o664)
  })

  it.runIf(posix)("does not follow symbolic links at the paths of the file and of its temporary file", async () => {
    const victim = join(folder, "victim")
    await writeFile(victim, "mine")
    await chmod(victim, 0o644)

    await symlink(victim, file)
    await symlink(victim, `${file}.new`)
    await replaceFile(file, "new")
    expect((await lstat(file)).isSymbolicLink()).toBe(false)
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    // Simulates another user who has guessed the name of the temporary file, and has created a symbolic link with this name.
    nextName = Buffer.from("0123456789abcdef", "hex")
    const predicted = `${file}.${process.pid}.0123456789abcdef.new`
    await symlink(victim, predicted)
    await expect(replaceFile(file, "newer")).rejects.toMatchObject({ code: "EEXIST" })
    expect((await lstat(predicted)).isSymbolicLink()).toBe(true)
    expect(await readFile(victim, "utf8")).toBe("mine")
    expect(await readFile(file, "utf8")).toBe("new")
  })

  it("fails if its temporary file already exists; the next call uses another name and succeeds", async () => {
    await replaceFile(file, "old")
    nextName = Buffer.alloc(8)
    await writeFile(`${file}.${process.pid}.${"00".repeat(8)}.new`, "of a process that was killed")
    await expect(replaceFile(file, "new")).rejects.toMatchObject({ code: "EEXIST" })
    nextName = undefined
    await replaceFile(file, "new")
    expect(await readFile(file, "utf8")).toBe("new")
  })

  it("if the path is a directory, fails and does not replace the directory", async () => {
    await mkdir(file)
    await expect(replaceFile(file, "new")).rejects.toThrow("is not a file")
    expect(await readdir(folder)).toEqual(["state.json"])
  })

  it("reports a missing folder", async () => {
    await expect(replaceFile(join(folder, "no", "state.json"), "new")).rejects.toMatchObject({ code: "ENOENT" })
  })

  // To simulate a full disk, the test limits the size of files. The system rejects writes beyond this limit.
  it.runIf(posix)("if a write fails, keeps the old file and leaves no temporary file", async () => {
    await writeFile(file, "old")
    const module = pathToFileURL(fileURLToPath(new URL("../../src/files/replaceFile.ts", import.meta.url))).href
    const program = `
      const { replaceFile } = await import("${module}")
      await replaceFile(${JSON.stringify(file)}, "x".repeat(4_000_000)).catch(({ code }) => console.log(code))
    `
    const limited = [
      "-c",
      'ulimit -f 64 && exec "$@"',
      "sh",
      process.execPath,
      "--input-type=module",
      "--eval",
      program
    ]
    const { stdout } = spawnSync("sh", limited, { encoding: "utf8" })
    expect(stdout).toBe("EFBIG\n")
    expect(await readdir(folder)).toEqual(["state.json"])
    expect(await readFile(file, "utf8")).toBe("old")
  })

  it("after concurrent calls, leaves only one file, which contains the complete text of one of these calls", async () => {
    const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(10_000))
    await Promise.all(texts.map((text) => replaceFile(file, text)))
    expect(texts).toContain(await readFile(file, "utf8"))
    expect(await readdir(folder)).toEqual(["state.json"])
  })

  // The test runs `replaceFile` in a separate process. In the separate process, a function that kills the process replaces the function for
  // the system call.
  it.runIf(posix).each(["open", "sync", "rename"])(
    "if the process crashes before the system call %s, keeps the old file",
    async (call) => {
      await writeFile(file, "old")
      const module = pathToFileURL(fileURLToPath(new URL("../../src/files/replaceFile.ts", import.meta.url))).href
      const program = `
      import fs from "node:fs"
      import { syncBuiltinESMExports } from "node:module"
      const die = () => process.kill(process.pid, "SIGKILL")
      if ("${call}" === "sync") {
        const open = fs.promises.open
        fs.promises.open = async (...args) => Object.assign(await open(...args), { sync: die })
      } else fs.promises["${call}"] = die
      syncBuiltinESMExports()
      const { replaceFile } = await import("${module}")
      await replaceFile(${JSON.stringify(file)}, "new")
    `
      const { signal } = spawnSync(process.execPath, ["--input-type=module", "--eval", program])
      expect(signal).toBe("SIGKILL")
      expect(await readFile(file, "utf8")).toBe("old")
      await replaceFile(file, "newer")
      expect(await readFile(file, "utf8")).toBe("newer")
      expect(await readdir(folder)).toEqual(["state.json"])
    }
  )
})

it("removeUnfinished removes the temporary files of killed processes, and keeps all other files", async () => {
  const name = "0123456789abcdef.new"
  const { pid: gone } = spawnSync(process.execPath, ["--version"])
  const others = [`state.json.${process.ppid}.${name}`, `other.json.${gone}.${name}`, "state.json.new"]
  for (const one of [
    ...others,
    `state.json.${gone}.${name}`,
    `state.json.${name}`,
    `state.json.${process.pid}.${name}`
  ]) {
    await writeFile(join(folder, one), "unfinished")
  }
  await removeUnfinished(file)
  expect((await readdir(folder)).toSorted()).toEqual(others.toSorted())
  await removeUnfinished(join(folder, "no", "state.json"))
})
