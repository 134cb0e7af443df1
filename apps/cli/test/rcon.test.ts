import type { LoginAttemptsOptions } from "@sourcewire/server/machines"
import { readFile } from "node:fs/promises"
import { platform } from "node:process"
import { describe, expect, it } from "vitest"
import { env, file, PASSWORD, serveRcon } from "./rconServers.ts"
import { type Run, objects, run, start } from "./runCli.ts"

const INSECURE = "--insecure-password-argument"

const engines = ["source", "goldsource", "quake"] as const

/** Options of a server that replies to the first wrong password, and bans the client at the second wrong password. */
const strict: LoginAttemptsOptions = { maxFailures: 1 }

describe.each(engines)("rcon with a %s server", (engine) => {
  it("runs one command and prints its reply", async () => {
    await using server = await serveRcon(engine)
    const { exitCode, stderr, stdout } = await run(
      ["rcon", server.where, "--engine", engine, "echo", "hello", "there"],
      {
        env
      }
    )
    expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: "", stdout: "hello there \n" })
  })

  it("detects the engine, and prints one JSON line per command", async () => {
    await using server = await serveRcon(engine)
    const { exitCode, stdout } = await run(
      ["rcon", server.where, "--json", "-e", "echo one", "--command", "sv_gravity 600", "-e", "echo two"],
      { env }
    )
    const common = { address: server.where, ok: true, engine }
    expect(objects(stdout)).toEqual([
      { ...common, command: "echo one", response: "one \n" },
      { ...common, command: "sv_gravity 600", response: "" },
      { ...common, command: "echo two", response: "two \n" }
    ])
    expect(exitCode).toBe(0)
  })

  it("prints a long reply completely", async () => {
    await using server = await serveRcon(engine)
    const { exitCode, stdout } = await run(["rcon", server.where, "--engine", engine, "cvarlist"], { env })
    const total = Number(/(\d+) total convars\n$/.exec(stdout)![1])
    expect(stdout.match(/^\w+ +: /gm)).toHaveLength(total)
    expect(exitCode).toBe(0)
  })
})

describe.each(["source", "goldsource"] as const)("rcon with a %s server that rejects the client", (engine) => {
  it("reports a wrong password and a ban, and exits with 3", async () => {
    await using server = await serveRcon(engine, { attempts: strict })
    const args = ["rcon", server.where, "--json", "--engine", engine, "status"]
    const wrong = await run(args, { env: { SOURCEWIRE_RCON_PASSWORD: "wrong" } })
    expect(objects(wrong.stdout)).toMatchObject([
      {
        address: server.where,
        ok: false,
        error: { _tag: "AuthenticationFailed", message: expect.stringMatching(/password/) }
      }
    ])
    const banning = await run(args, { env: { SOURCEWIRE_RCON_PASSWORD: "wrong" } })
    const banned = await run(args, { env })
    expect(objects(banned.stdout)).toMatchObject([{ ok: false, error: { _tag: "Refused" } }])
    expect([wrong.exitCode, banning.exitCode, banned.exitCode]).toEqual([3, 3, 3])
    expect(server.commands).toEqual([])
  })

  it("prints the command that lifts a ban", async () => {
    await using server = await serveRcon(engine, { attempts: { maxFailures: 0 } })
    const wrong = await run(["rcon", server.where, "--engine", engine, "x"], {
      env: { SOURCEWIRE_RCON_PASSWORD: "wrong" }
    })
    const banned = await run(["rcon", server.where, "x"], { env })
    expect(banned.stderr).toMatch(/banned.*removeip.*sv_rcon_banpenalty/)
    expect([wrong.exitCode, banned.exitCode, banned.stdout]).toEqual([3, 3, ""])
  })
})

describe("commands", () => {
  it("are read first from the command line and then from a file, whose comments are ignored", async () => {
    await using server = await serveRcon("source")
    await using list = await file("// first\r\necho three\r\n\r\n# last\r\n  echo four  ")
    const args = ["rcon", server.where, "--engine", "source", "echo one", "-e", "echo two", "--file", list.path]
    const { exitCode, stdout } = await run(args, { env })
    expect(stdout).toBe("one \ntwo \nthree \nfour \n")
    expect(exitCode).toBe(0)
  })

  it("are read from standard input if standard input is not a terminal", async () => {
    await using server = await serveRcon("source")
    const args = ["rcon", server.where, "--engine", "source"]
    const { exitCode, stdout } = await run(args, { env, stdin: "echo one\necho two" })
    expect(stdout).toBe("one \ntwo \n")
    expect(exitCode).toBe(0)
  })

  it.each([
    ["standard input", "status\nquit\necho more\n", undefined],
    ["standard input", " EXIT\r\n", undefined],
    ["a file", undefined, "status\nquit;\necho more\n"]
  ])(
    "are read from %s up to the first quit or exit, which is not sent to the server: %j %j",
    async (_, stdin, content) => {
      await using server = await serveRcon("source")
      await using list = await file(content ?? "")
      const args = ["rcon", server.where, "--engine", "source", ...(content === undefined ? [] : ["--file", list.path])]
      const { exitCode, stderr } = await run(args, { env, ...(stdin === undefined ? {} : { stdin }) })
      expect(server.commands).toEqual((stdin ?? content)!.includes("status") ? ["status"] : [])
      expect(stderr).toMatch(/server keeps running.*--allow-quit/)
      expect(exitCode).toBe(0)
    }
  )

  it.each([
    ["an argument", ["quit"], undefined],
    ["--command", ["--command", "exit"], undefined],
    ["standard input with --allow-quit", ["--allow-quit"], "quit\n"]
  ])("from %s are sent to the server, even if they are quit or exit", async (_, more, stdin) => {
    await using server = await serveRcon("source")
    const args = ["rcon", server.where, "--engine", "source", ...more]
    const { exitCode } = await run(args, { env, ...(stdin === undefined ? {} : { stdin }) })
    expect(server.commands).toEqual([more.includes("exit") ? "exit" : "quit"])
    expect(exitCode).toBe(0)
  })

  it.each(engines)("with a line break cause a usage error, and are not sent to a %s server", async (engine) => {
    await using server = await serveRcon(engine)
    const { exitCode, stderr } = await run(["rcon", server.where, "--engine", engine, "status\nquit"], { env })
    expect(stderr).toMatch(/line break.*--command/)
    expect(server.commands).toEqual([])
    expect(exitCode).toBe(2)
  })

  it("are not sent after the first command that fails", async () => {
    await using server = await serveRcon("source")
    const args = ["rcon", server.where, "--engine", "source", "--json", "--timeout", "1500"]
    const { exitCode, stderr, stdout } = await run(args, { env, stdin: "echo one\nforever\necho two\n" })
    expect(objects(stdout)).toMatchObject([
      { ok: true, response: "one \n" },
      { ok: false, command: "forever", error: { _tag: "Timeout", phase: "request" } }
    ])
    expect(stderr).toMatch(/not sent/)
    expect(server.commands).toEqual(["echo one", "forever"])
    expect(exitCode).toBe(1)
  })

  it.each([[[]], [["--json"]]])("fail if the connection is lost before the reply: %j", async (flags) => {
    await using server = await serveRcon("source")
    const args = ["rcon", server.where, "--engine", "source", ...flags, "-e", "echo ready", "-e", "forever", "-e", "x"]
    const running = start(args, { env })
    await running.printed("ready")
    await server.received("forever")
    await server.close()
    const { exitCode, stderr, stdout } = await running.ended
    expect(exitCode).toBe(1)
    if (flags.length === 0) {
      expect(stdout).toBe("ready \n")
      expect(stderr).toMatch(/connection/i)
    } else {
      expect(objects(stdout)).toMatchObject([
        { ok: true },
        { ok: false, command: "forever", error: { _tag: "ConnectionClosed" } }
      ])
      expect(objects(stdout)[1]).not.toHaveProperty("response")
    }
  })

  it("cause the exit code 130 if SIGINT arrives before the reply", async () => {
    await using server = await serveRcon("source")
    const running = start(["rcon", server.where, "--engine", "source", "-e", "echo ready", "-e", "forever"], { env })
    await running.printed("ready")
    running.child.kill("SIGINT")
    expect((await running.ended).exitCode).toBe(130)
  })
})

describe("the password", () => {
  it("is read from a file", async () => {
    await using server = await serveRcon("source")
    await using secret = await file(`${PASSWORD}\n`)
    const args = ["rcon", server.where, "--engine", "source", "--password-file", secret.path, "echo in"]
    const { exitCode, stderr, stdout } = await run(args, { env: { SOURCEWIRE_RCON_PASSWORD: "wrong" } })
    expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: "", stdout: "in \n" })
  })

  it.each(["", "two\nlines\n"])("must be the only line of the password file: %j is rejected", async (content) => {
    await using secret = await file(content)
    const { exitCode, stderr } = await run(["rcon", "127.0.0.1:1", "--password-file", secret.path, "x"])
    expect(stderr).toMatch(/one line with the password/)
    expect(exitCode).toBe(2)
  })

  it.each(engines)(
    "appears neither in the output nor in the trace, even if a %s server sends the password",
    async (engine) => {
      await using server = await serveRcon(engine)
      const given = ["rcon", server.where, "--engine", engine, INSECURE, "--password", PASSWORD, "--trace"]
      const text = await run([...given, "-e", "rcon_password", "-e", "log", "-e", "echo done"])
      const logged = 'Rcon: "rcon 1 "******" status" from "127.0.0.1:1"\n'
      expect(text.stdout).toBe(`"rcon_password" is "******"\n${logged}done \n`)
      const json = await run([...given, "--json", "-e", "rcon_password", "-e", "log", "-e", `sv_contact "${PASSWORD}"`])
      expect(objects(json.stdout)).toMatchObject([
        { response: '"rcon_password" is "******"\n' },
        { response: logged },
        { command: 'sv_contact "******"' }
      ])
      for (const { exitCode, stderr, stdout } of [text, json]) {
        expect(stdout + stderr).not.toMatch(/sesame|73 ?65 ?73 ?61 ?6d ?65/)
        expect(stderr).toMatch(/\*\*\*|•••/)
        expect(exitCode).toBe(0)
      }
    }
  )

  it.each([
    ["text", []],
    ["JSON", ["--json"]]
  ])("is rejected as an argument without --insecure-password-argument (output: %s)", async (_, flags) => {
    await using server = await serveRcon("source")
    const args = ["rcon", server.where, "--engine", "source", "--password", PASSWORD, ...flags, "echo in"]
    const refused = await run(args)
    expect(refused.stderr).toMatch(
      /--password-file FILE.*SOURCEWIRE_RCON_PASSWORD.*type the password.*--insecure-password-argument/
    )
    expect(refused.stderr).not.toMatch(/sesame/)
    expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(server.commands).toEqual([])
    expect((await run([...args, INSECURE])).exitCode).toBe(0)
  })

  it.each(["server", "off"])(
    "is not masked if it is also a word of the program's own messages: %j",
    async (password) => {
      // This password is also a word of the program's messages. If a mask replaced this word in a message, a reader could infer the
      // password.
      await using server = await serveRcon("source", { attempts: { maxFailures: 100 } })
      const ask = (given: string) =>
        run(["rcon", server.where, "--engine", "source", "--trace", "x"], { env: { SOURCEWIRE_RCON_PASSWORD: given } })
      const sentences = ({ stderr }: Run) => stderr.replaceAll(/\d\d:\d\d:\d\d\.\d+/g, "TIME")
      expect(sentences(await ask(password))).toBe(sentences(await ask("anything else")))
    }
  )

  it("does not appear in the trace, even if TCP divides the password between several segments", async () => {
    for (const segmentBytes of [1, 7, 20, 33]) {
      await using server = await serveRcon("source", { segments: { segmentBytes } })
      const args = ["rcon", server.where, "--engine", "source", "--trace", "rcon_password"]
      const { exitCode, stderr } = await run(args, { env })
      // The output contains no part of the password, neither as text nor in hex. The hex numbers are the bytes of “ope”, “ses” and “ame”.
      expect(stderr).not.toMatch(/open|sesa|same|e 42|6f 70 65|73 65 73|61 6d 65/)
      expect(stderr).toMatch(/\*{8}/)
      expect(exitCode).toBe(0)
    }
  })

  it.each(engines)("appears in no error message: %s", async (engine) => {
    await using server = await serveRcon(engine, { attempts: strict })
    for (const flags of [
      ["--password", "pa\nss"],
      [`--password=pa"ss`],
      ["--password", "pass", "--password", "pass"]
    ]) {
      const args = ["rcon", server.where, "--engine", engine, "--timeout", "200", INSECURE, ...flags, "x"]
      const { exitCode, stderr, stdout } = await run(args)
      expect((stdout + stderr).replaceAll("password", "")).not.toMatch(/pass|pa\n|pa"/)
      expect(exitCode).not.toBe(0)
    }
  })

  it.runIf(platform === "linux")("is not visible in the list of processes", async () => {
    await using server = await serveRcon("source")
    const running = start([
      "rcon",
      server.where,
      "--engine",
      "source",
      INSECURE,
      "--password",
      PASSWORD,
      "-e",
      "echo in",
      "-e",
      "forever"
    ])
    await running.printed("in")
    const cmdline = await readFile(`/proc/${running.child.pid}/cmdline`, "utf8")
    const name = await readFile(`/proc/${running.child.pid}/comm`, "utf8")
    running.child.kill("SIGINT")
    expect((await running.ended).exitCode).toBe(130)
    expect(cmdline).toMatch(
      /^sourcewire rcon 127\.0\.0\.1:\d+ --engine source --insecure-password-argument --password \*{6} -e echo in -e forever\0/
    )
    expect(cmdline + name).not.toMatch(/sesame/)
  })
})

describe("a failed call of rcon", () => {
  it.each([
    [
      "a password in a flag and another password in a file",
      [INSECURE, "--password", "a", "--password-file", "b"],
      2,
      /cannot be combined/
    ],
    ["a password from standard input", ["--password-file", "-"], 2, /standard input/],
    ["a missing password file", ["--password-file", "no such file"], 1, /Cannot read no such file/],
    ["an endless password file", ["--password-file", "/dev/zero"], 2, /is larger than 4096 bytes/],
    ["a missing password", [], 2, /No password given/],
    ["a closed port", ["--engine", "source", INSECURE, "--password", "p", "-e", "x", "extra"], 1, /is closed/]
  ])("reports an error about %s", async (_, flags, code, message) => {
    const { exitCode, stderr, stdout } = await run(["rcon", "127.0.0.1:1", ...flags], {
      env: { SOURCEWIRE_RCON_PASSWORD: "" }
    })
    expect(stderr).toMatch(message)
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: "" })
  })

  it.each([
    [["rcon", "not an address", "x"], 2, /not an address/],
    [["rcon"], 2, /ADDRESS is missing/],
    [["rcon", "127.0.0.1:1", "--engine", "quake3", "x"], 2, /quake3/],
    [["rcon", "127.0.0.1:1", "--file", "no such file"], 1, /Cannot read no such file/],
    [["rcon", "127.0.0.1:1", "x"], 1, /Port 1 is closed/]
  ])("%j exits with %i", async (args, code, message) => {
    const { exitCode, stderr } = await run(args, { env })
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(code)
  })

  it("with --json, prints the error about a closed port as JSON", async () => {
    const { exitCode, stdout } = await run(["rcon", "127.0.0.1:1", "--json", "x"], { env })
    expect(objects(stdout)).toMatchObject([{ address: "127.0.0.1:1", ok: false, error: { _tag: "PortClosed" } }])
    expect(exitCode).toBe(1)
  })
})

it("the error about a closed port on loopback explains that CS2 serves RCON on the host's own address", async () => {
  const hint = /is closed[^]*Counter-Strike 2[^]*-usercon[^]*own\s+address/
  // On loopback, a CS2 server replies to queries, but does not serve RCON over TCP or UDP.
  const server = start(["serve", "--profile", "cs2", "--port", "0", "--json"])
  await server.printed("\n")
  const port = /127\.0\.0\.1:(\d+)/.exec(server.output().stdout)![1]!
  const runs = await Promise.all([
    run(["rcon", `127.0.0.1:${port}`, "--timeout", "500", "status"], { env }),
    run(["rcon", `localhost:${port}`, "--timeout", "500", "--json", "status"], { env }),
    run(["rcon", "127.0.0.1:1", "--engine", "source", "status"], { env }),
    run(["rcon", "[::1]:1", "--engine", "source", "status"], { env }),
    run(["query", `127.0.0.1:${port}`, "--rcon", "--json"], { env })
  ])
  server.child.kill()
  await server.ended
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1, 0])
  for (const { stderr, stdout } of runs) expect(stdout + stderr).toMatch(hint)
})
