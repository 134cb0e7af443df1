import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { env, PASSWORD, serveRcon } from "./rconServers.ts"
import { CTRL_C, CTRL_D, ENTER, TAB, UP, hasTerminal, onTerminal } from "./terminal.ts"

describe.runIf(hasTerminal)("the password's prompt", () => {
  it("shows nothing of what is typed", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source", "echo in"])
    await terminal.shows(`Password for ${server.where}: `)
    terminal.type(PASSWORD)
    terminal.type(ENTER)
    expect(await terminal.ended).toBe(0)
    expect(terminal.written()).toBe(`Password for ${server.where}: \r\nin \r\n`)
  })

  it.each([`half${CTRL_C}`, CTRL_D])("ends at %j, which asks nobody anything", async (keys) => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"])
    await terminal.shows(": ")
    terminal.type(keys)
    expect(await terminal.ended).toBe(130)
    expect(terminal.written()).toBe(`Password for ${server.where}: \r\n`)
  })

  it("takes a wrong password once", async () => {
    await using server = await serveRcon("goldsource")
    const terminal = onTerminal(["rcon", server.where, "--engine", "goldsource"])
    await terminal.shows(": ")
    terminal.type(`not it${ENTER}`)
    expect(await terminal.ended).toBe(3)
    expect(terminal.written()).toMatch(/Bad rcon_password/)
    expect(terminal.written()).not.toMatch(/not it/)
  })
})

describe.runIf(hasTerminal)("the prompt", () => {
  it("runs commands until Ctrl-D", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("source RCON")
    await terminal.shows("> ")
    terminal.type(`echo one${ENTER}`)
    await terminal.shows("\none ")
    await terminal.shows("> ")
    terminal.type(`echo two${ENTER}echo three${ENTER}`)
    await terminal.shows("\ntwo ")
    await terminal.shows("\nthree ")
    await terminal.shows("> ")
    terminal.type(CTRL_D)
    expect(await terminal.ended).toBe(0)
    expect(server.commands).toEqual(["echo one", "echo two", "echo three"])
  })

  it.each(["source", "goldsource"] as const)("completes names once a %s server has listed them", async (engine) => {
    await using server = await serveRcon(engine)
    const terminal = onTerminal(["rcon", server.where, "--engine", engine], { env })
    // Keys in one piece are taken for pasted text, where a Tab completes nothing.
    const complete = async (start: string, name: string) => {
      await terminal.shows("> ")
      terminal.type(start)
      await terminal.shows(start)
      terminal.type(TAB)
      await terminal.shows(name)
      terminal.type(ENTER)
    }
    await complete("cvarl", "ist")
    await terminal.shows("total convars")
    await complete("sv_grav", "ity")
    await terminal.shows('"800"')
    await terminal.shows("> ")
    terminal.type(CTRL_D)
    await terminal.ended
    expect(server.commands).toEqual(["cvarlist", "sv_gravity"])
  })

  it("ends at Ctrl-C", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("> ")
    terminal.type(`half${CTRL_C}`)
    expect(await terminal.ended).toBe(130)
    expect(server.commands).toEqual([])
  })

  it("comes back when Ctrl-C ends a command's reply", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("> ")
    terminal.type(`forever${ENTER}`)
    await terminal.shows("forever\r")
    terminal.type(CTRL_C)
    await terminal.shows("may have been carried out")
    await terminal.shows("> ")
    terminal.type(CTRL_D)
    expect(await terminal.ended).toBe(0)
  })

  it.each(["quit", " EXIT "])("takes %j for itself, so that nobody stops a server by leaving", async (word) => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("> ")
    terminal.type(word + ENTER)
    expect(await terminal.ended).toBe(0)
    expect(terminal.written()).toMatch(/The server goes on/)
    expect(server.commands).toEqual([])
  })

  it("is not 0 after a failure", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source", "--timeout", "1000"], { env })
    await terminal.shows("> ")
    terminal.type(`forever${ENTER}`)
    await terminal.shows("did not reply")
    await terminal.shows("> ")
    terminal.type(`echo on${ENTER}`)
    terminal.type(CTRL_D)
    expect(await terminal.ended).toBe(1)
  })
})

describe.runIf(hasTerminal)("the history", () => {
  it("goes up, and remembers no password", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    for (const line of ["echo first", "rcon_password", `echo ${PASSWORD}`, UP]) {
      await terminal.shows("> ")
      terminal.type(line + ENTER)
    }
    await terminal.shows("\nfirst ")
    await terminal.shows("> ")
    terminal.type(CTRL_D)
    expect(await terminal.ended).toBe(0)
    expect(server.commands).toEqual(["echo first", "rcon_password", `echo ${PASSWORD}`, "echo first"])
  })

  it("is kept in a file when somebody asks for it", async () => {
    await using server = await serveRcon("source")
    const directory = await mkdtemp(join(tmpdir(), "sourcewire-"))
    const history = join(directory, "history")
    const args = ["rcon", server.where, "--engine", "source", "--history", history]
    const first = onTerminal(args, { env })
    for (const line of ["echo first", `echo ${PASSWORD}`, "sv_password x", "quit"]) {
      await first.shows("> ")
      first.type(line + ENTER)
    }
    await first.ended
    expect(await readFile(history, "utf8")).toBe("echo first\n")
    expect((await stat(history)).mode & 0o077).toBe(0)
    const second = onTerminal(args, { env })
    await second.shows("> ")
    second.type(UP + ENTER)
    await second.shows("\nfirst ")
    await second.shows("> ")
    second.type(CTRL_D)
    expect(await second.ended).toBe(0)
    await rm(directory, { recursive: true })
  })
})
