import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { env, PASSWORD, serveRcon } from "./rconServers.ts"
import { CTRL_C, CTRL_D, CTRL_F, CTRL_R, ENTER, TAB, UP, hasTerminal, onTerminal } from "./terminal.ts"

describe.runIf(hasTerminal)("the password prompt", () => {
  it("does not show the typed text", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source", "echo in"])
    await terminal.shows(`Password for ${server.where}: `)
    terminal.type(PASSWORD)
    terminal.type(ENTER)
    expect(await terminal.ended).toBe(0)
    expect(terminal.written()).toBe(`Password for ${server.where}: \r\nin \r\n`)
  })

  it.each([`half${CTRL_C}`, CTRL_D])("after the keys %j, ends the program without more output", async (keys) => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"])
    await terminal.shows(": ")
    terminal.type(keys)
    expect(await terminal.ended).toBe(130)
    expect(terminal.written()).toBe(`Password for ${server.where}: \r\n`)
  })

  it("appears up to three times, and each rejection is shown", async () => {
    await using server = await serveRcon("goldsource")
    const terminal = onTerminal(["rcon", server.where, "--engine", "goldsource"])
    for (const attempt of ["one", "two", "three"]) {
      await terminal.shows(`Password for ${server.where}: `)
      terminal.type(`not it ${attempt}${ENTER}`)
      await terminal.shows("Bad rcon_password")
    }
    expect(await terminal.ended).toBe(3)
    expect(terminal.written().match(/Password for/g)).toHaveLength(3)
    expect(terminal.written()).not.toMatch(/not it/)
  })

  it("accepts the correct password after a wrong password", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source", "echo in"])
    for (const password of ["wrong", PASSWORD]) {
      await terminal.shows(`Password for ${server.where}: `)
      terminal.type(password + ENTER)
    }
    expect(await terminal.ended).toBe(0)
    expect(server.commands).toEqual(["echo in"])
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

  it.each(["source", "goldsource"] as const)("completes the names that a %s server has listed", async (engine) => {
    await using server = await serveRcon(engine)
    const terminal = onTerminal(["rcon", server.where, "--engine", engine], { env })
    // The program treats keys that arrive together as pasted text. In pasted text, Tab does not complete words.
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

  it.each([
    ["source", "mp_warmup_e", "mp_warmup_end"],
    ["goldsource", "sv_restartr", "sv_restartround"]
  ] as const)(
    "completes common commands and variables if a %s server has not listed its names yet",
    async (engine, start, whole) => {
      await using server = await serveRcon(engine)
      const terminal = onTerminal(["rcon", server.where, "--engine", engine], { env })
      await terminal.shows("> ")
      terminal.type(start)
      await terminal.shows(start)
      terminal.type(TAB)
      await terminal.until((screen) => screen.endsWith(`> ${whole}`))
    }
  )

  it("clears the line after Ctrl-C, and continues", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("> ")
    terminal.type("half")
    await terminal.until((screen) => screen.endsWith("> half"))
    terminal.type(CTRL_C)
    await terminal.until((screen) => screen.endsWith(">"))
    terminal.type(`echo whole${ENTER}`)
    await terminal.shows("\nwhole ")
    expect(server.commands).toEqual(["echo whole"])
  })

  it("ends if the user presses Ctrl-C twice, during input or on an empty line", async () => {
    await using server = await serveRcon("source")
    const atOnce = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    const onEmpty = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await atOnce.shows("> ")
    atOnce.type(`half${CTRL_C}${CTRL_C}`)
    await onEmpty.shows("> ")
    onEmpty.type(CTRL_C)
    await onEmpty.until((screen) => /Press Ctrl-C again, or Ctrl-D, to leave.*\n.*>$/.test(screen))
    onEmpty.type(CTRL_C)
    expect(await Promise.all([atOnce.ended, onEmpty.ended])).toEqual([0, 0])
    expect(server.commands).toEqual([])
  })

  it("appears again if the user presses Ctrl-C while the program waits for a reply", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("> ")
    terminal.type(`forever${ENTER}`)
    await terminal.shows("forever\r")
    terminal.type(CTRL_C)
    await terminal.shows("may have been executed")
    await terminal.shows("> ")
    terminal.type(CTRL_D)
    expect(await terminal.ended).toBe(0)
  })

  it("with --allow-quit, sends quit to the server", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source", "--allow-quit"], { env })
    await terminal.shows("> ")
    terminal.type(`quit${ENTER}`)
    await server.received("quit")
    terminal.type(CTRL_D)
    expect(await terminal.ended).toBe(0)
  })

  it.each(["quit", " EXIT "])("ends after %j, and the server keeps running", async (word) => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("> ")
    terminal.type(word + ENTER)
    expect(await terminal.ended).toBe(0)
    expect(terminal.written()).toMatch(/The server keeps running/)
    expect(server.commands).toEqual([])
  })

  it("after a failed command, exits with 1 if --json is given, and with 0 if --json is absent", async () => {
    await using server = await serveRcon("source")
    const exitCodeWith = async (more: ReadonlyArray<string>) => {
      const args = ["rcon", server.where, "--engine", "source", "--timeout", "1000", ...more]
      const terminal = onTerminal(args, { env })
      await terminal.shows("> ")
      terminal.type(`forever${ENTER}`)
      await terminal.shows("did not reply")
      await terminal.shows("> ")
      terminal.type(`echo on${ENTER}`)
      terminal.type(CTRL_D)
      return terminal.ended
    }
    expect(await Promise.all([exitCodeWith([]), exitCodeWith(["--json"])])).toEqual([0, 1])
  })

  it("colours the address of the server and the replies", async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env: { ...env, NO_COLOR: "" } })
    await terminal.shows(`\u001b[36m${server.where}\u001b[39m`)
    terminal.type(`sv_gravity${ENTER}`)
    await terminal.shows('"\u001b[36msv_gravity\u001b[39m" = "\u001b[1m800\u001b[22m"')
  })
})

describe.runIf(hasTerminal)("the history", () => {
  it("when the user presses ↑, returns the newest command that contains no secret", async () => {
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

  it("is saved in the file of --history, without commands that contain secrets", async () => {
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

describe.runIf(hasTerminal)("the search", () => {
  const prompt = async (commands: ReadonlyArray<string>) => {
    const server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--engine", "source"], { env })
    await terminal.shows("> ")
    for (const command of commands) {
      terminal.type(command + ENTER)
      await terminal.shows(command)
      await terminal.until((screen) => screen.endsWith(`${server.where}>`))
    }
    const lastLine = (line: string) => terminal.until((screen) => screen.split("\n").at(-1) === line)
    return { server, terminal, lastLine }
  }

  it("of the history shows an older match after each Ctrl-R, and Enter runs the command that is shown", async () => {
    const { lastLine, server, terminal } = await prompt([
      "echo first one",
      "echo second one",
      "status",
      `echo ${PASSWORD}`
    ])
    terminal.type(`half${CTRL_R}`)
    await lastLine("search history:")
    terminal.type("one")
    await lastLine('search history "one": echo second one')
    terminal.type(CTRL_R)
    await lastLine('search history "one": echo first one')
    terminal.type("x")
    await lastLine('search history "onex" (nothing):')
    terminal.type("\u007f")
    await lastLine('search history "one": echo second one')
    terminal.type(CTRL_C)
    await lastLine(`${server.where}> half`)
    terminal.type(`${CTRL_R}sesame`)
    await lastLine('search history "sesame" (nothing):')
    terminal.type(`${CTRL_C}${CTRL_R}first${ENTER}`)
    await terminal.shows("\nfirst one ")
    expect(server.commands.at(-1)).toBe("echo first one")
    await server.close()
  })

  it("of the replies shows the newest matching line first, and Enter prints all matching lines", async () => {
    const { lastLine, server, terminal } = await prompt(["sv_gravity 600", "cvarlist", "echo The GRAVITY is low"])
    terminal.type(`half${CTRL_F}grav`)
    await lastLine('search replies "grav": The GRAVITY is low')
    terminal.type(CTRL_F)
    await terminal.until((screen) => /search replies "grav": sv_gravity +: 600/.test(screen))
    terminal.type(ENTER)
    // The program first shows the input line again. Then it inserts the found lines above the input line.
    await terminal.shows("2 lines of this session's replies")
    const screen = await terminal.until((screen) => screen.endsWith(`${server.where}> half`))
    expect(screen.split("\n").slice(-4)).toEqual([
      expect.stringMatching(/^sv_gravity +: 600$/),
      "The GRAVITY is low ",
      '2 lines of this session\'s replies with "grav"',
      `${server.where}> half`
    ])
    await server.close()
  })
})
