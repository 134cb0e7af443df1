/**
 * Tests the files of `deploy/panels`. The importers of the panels must accept the files. When the game server has been installed and
 * started, its console must contain the line by which the panel recognizes a running server. In place of SteamCMD, a script installs the
 * emulator of this project as the game server.
 */
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"
import { program, start } from "./runCli.ts"

const readText = (name: string): string =>
  readFileSync(new URL(`../../../deploy/panels/${name}`, import.meta.url), "utf8")
const startScript = readText("sourcewire-start.sh")
const curl = externalProgram("curl", "curl")

const directory = mkdtempSync(join(tmpdir(), "sourcewire-panels-"))
afterAll(() => rmSync(directory, { recursive: true }))

const writeExecutable = (file: string, text: string): void => {
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
}
const sourcewire = `exec ${program.map((word) => `'${word}'`).join(" ")} "$@"`
/** The script of a game server. The server listens on the port that follows `-port` in the arguments. */
const gameServer = `while [ $# -gt 1 ] && [ "$1" != -port ]; do shift; done
exec ${program.map((word) => `'${word}'`).join(" ")} serve --port "$2" --people 3 --json`

const often = { SOURCEWIRE_INTERVAL: "0.2" }

/** Starts and ends an emulated server, and returns the port of this server, which is then free. */
const freePort = async (): Promise<number> => {
  const server = start(["serve", "--json", "--port", "0"])
  await server.printed("\n")
  server.child.kill("SIGTERM")
  const { stdout } = await server.ended
  return Number(/127\.0\.0\.1:(\d+)/.exec(stdout)![1])
}

/** Runs a command that a panel would run, until the output contains `text`. Then ends the command, and returns the output. */
const runConsole = async (
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  text: string
): Promise<string> => {
  const child = spawn("bash", ["-c", command], { cwd, env: { ...process.env, ...env }, detached: true })
  let printed = ""
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const found = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        printed += chunk
        if (printed.includes(text)) resolve()
      })
    }
  })
  await Promise.race([found, ended])
  try {
    // The test sends the signal to the whole process group, because servers may still run after the command has ended.
    process.kill(-child.pid!, "SIGTERM")
  } catch {
    // All processes of the group have already ended.
  }
  await ended
  return printed
}

interface Variable {
  readonly name: string
  readonly description: string
  readonly env_variable: string
  readonly default_value: string
  readonly user_viewable: boolean
  readonly user_editable: boolean
  readonly rules: string | ReadonlyArray<string>
  readonly sort?: number
  readonly field_type?: string
}
interface Egg {
  readonly meta: { readonly version: string; readonly update_url: null }
  readonly name: string
  readonly author: string
  readonly uuid?: string
  readonly tags?: ReadonlyArray<string>
  readonly docker_images: Readonly<Record<string, string>>
  readonly startup: string
  readonly config: Readonly<Record<"files" | "startup" | "logs" | "stop", string>>
  readonly scripts: {
    readonly installation: Readonly<Record<"script" | "container" | "entrypoint", string>>
  }
  readonly variables: ReadonlyArray<Variable>
}

const RESERVED = "SERVER_MEMORY,SERVER_IP,SERVER_PORT,ENV,HOME,USER,STARTUP,SERVER_UUID,UUID".split(",")
/** The fields that Pterodactyl and Pelican read from an exported egg. */
const FIELDS =
  "_comment,meta,exported_at,name,author,description,features,docker_images,file_denylist,startup,config,scripts,variables"
const VARIABLE_FIELDS = "name,description,env_variable,default_value,user_viewable,user_editable,rules"

describe.each([
  ["Pterodactyl", "pterodactyl-egg.json", "PTDL_v2", [], ["field_type"]],
  ["Pelican", "pelican-egg.json", "PLCN_v1", ["uuid", "tags"], ["sort"]]
] as const)("the egg for %s", (_, file, version, extra, extraOfVariable) => {
  const egg = JSON.parse(readText(file)) as Egg
  const { installation } = egg.scripts

  it("has the fields and values that the importer requires", () => {
    expect(egg.meta).toEqual({ version, update_url: null })
    expect(Object.keys(egg).toSorted()).toEqual([...FIELDS.split(","), ...extra].toSorted())
    expect(egg.name.length).toBeLessThan(256)
    expect(egg.author).toMatch(/^[^@\s]+@[^@\s]+\.\w+$/)
    if (version === "PLCN_v1") expect(egg.uuid).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(Object.values(egg.docker_images)).toEqual([expect.stringMatching(/^[\w.-]+(\/[\w.-]+)+:[\w.-]+$/)])
    expect(Object.keys(egg.config)).toEqual(["files", "startup", "logs", "stop"])
    for (const key of ["files", "startup", "logs"] as const) expect(JSON.parse(egg.config[key])).toBeTypeOf("object")
    expect(Object.keys(installation)).toEqual(["script", "container", "entrypoint"])
  })

  it("defines all variables that its commands use, and each definition is valid", () => {
    for (const variable of egg.variables) {
      expect(Object.keys(variable).toSorted()).toEqual([...VARIABLE_FIELDS.split(","), ...extraOfVariable].toSorted())
      expect(variable.env_variable).toMatch(/^[A-Z_]{1,255}$/)
      expect(RESERVED).not.toContain(variable.env_variable)
      expect(variable.default_value).toBeTypeOf("string")
      // Pterodactyl stores the rules of a variable as a string. Pelican stores the rules as a list.
      expect(Array.isArray(variable.rules)).toBe(version === "PLCN_v1")
      const rules = typeof variable.rules === "string" ? variable.rules.split("|") : variable.rules
      expect(rules.includes("required")).toBe(variable.default_value !== "")
      expect(rules.includes("nullable")).toBe(variable.default_value === "")
    }
    const names = new Set(egg.variables.map(({ env_variable: name }) => name))
    const inStartup = [...egg.startup.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
    expect(inStartup.filter((name) => !names.has(name) && name !== "SERVER_PORT")).toEqual([])
    const inScript = [...installation.script.matchAll(/\$([A-Z]\w+)/g)].map(([, name]) => name!)
    expect(inScript.filter((name) => !names.has(name) && name !== "PATH")).toEqual([])
  })

  it("contains the start script of deploy/panels", () => {
    expect(installation.script).toContain(`<<'END'\n${startScript}END\n`)
  })

  it.skipIf(curl === undefined)("installs and starts a server that the panel shows as running", async () => {
    const folder = mkdtempSync(join(directory, "egg-"))
    const [steamcmd, home] = [join(folder, "steamcmd"), join(folder, "server")]
    for (const made of [join(steamcmd, "linux32"), home]) mkdirSync(made, { recursive: true })
    writeFileSync(join(steamcmd, "linux32/steamclient.so"), "")
    writeExecutable(join(folder, "srcds_run"), gameServer)
    writeExecutable(
      join(steamcmd, "steamcmd.sh"),
      `[ "$*" = '+force_install_dir ${home} +login anonymous +app_update 232330 validate +quit' ] && cp '${folder}/srcds_run' '${home}'`
    )
    const archive = spawnSync("tar", ["-cz", "-C", steamcmd, "."]).stdout
    const steam = createServer((request, response) =>
      response.end(request.url === "/sourcewire" ? `#!/bin/sh\n${sourcewire}\n` : archive)
    )
    await new Promise<void>((resolve) => steam.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(steam.address() as AddressInfo).port}`
    const defaults = Object.fromEntries(egg.variables.map((each) => [each.env_variable, each.default_value]))
    const script = installation.script
      .replaceAll("/mnt/server", home)
      .replace("https://steamcdn-a.akamaihd.net", url)
      .replace("chown -R root:root", "chmod -R u+w")
    const env = { ...defaults, SOURCEWIRE_URL: `${url}/sourcewire` }
    expect(await runConsole(script, folder, env, "\0")).not.toContain("rror")
    steam.close()
    expect(readFileSync(join(home, "sourcewire-start.sh"), "utf8")).toBe(startScript)

    const port = await freePort()
    const { done } = JSON.parse(egg.config.startup) as { readonly done: string }
    // Like the images of the panels, the test replaces `{{NAME}}` with `${NAME}`. The shell then expands this variable.
    const command = egg.startup.replaceAll(/\{\{(\w+)\}\}/g, "${$1}")
    const printed = await runConsole(command, home, { ...defaults, ...often, SERVER_PORT: String(port) }, done)
    expect(printed).toContain(`127.0.0.1:${port} is healthy: 7/32 players on de_dust2\n`)
  })
})

describe("the template for AMP", () => {
  const lines = readText("amp/source-server.kvp").trimEnd().split("\n")
  const settings = new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]))
  const readJson = (name: string) =>
    JSON.parse(readText(`amp/${name}`)) as ReadonlyArray<Readonly<Record<string, unknown>>>
  const included = (key: string) => readJson(/^@IncludeJson\[(.*)\]$/.exec(settings.get(key)!)![1]!)
  const regex = (key: string): RegExp => new RegExp(settings.get(key)!)

  it("contains each setting only once, and refers to settings and files that exist", () => {
    expect(settings.size).toBe(lines.length)
    for (const key of settings.keys()) expect(key).toMatch(/^(Meta|App|Console)\.[A-Z]\w+$/)
    expect(settings.get("Meta.ConfigRoot")).toBe("source-server.kvp")
    expect(included("App.Ports").map(({ Ref }) => Ref)).toContain(settings.get("App.PrimaryApplicationPortRef"))
    expect(included("App.Ports")).toEqual([
      {
        Protocol: "Both",
        Port: 27015,
        Ref: "ServerPort",
        Name: expect.any(String) as string,
        Description: expect.any(String) as string
      }
    ])
    const stages = included("App.UpdateSources")
    expect(stages).toMatchObject([{ UpdateSource: "SteamCMD", UpdateSourcePlatform: "Linux" }])
    expect(settings.get("App.WorkingDir")).toBe(stages[0]!["UpdateSourceData"])
    expect(settings.get("App.BaseDirectory")).toBe(`${settings.get("App.RootDir")}${settings.get("App.WorkingDir")}/`)
  })

  it("reports the server as ready when the server replies to queries", async () => {
    const home = mkdtempSync(join(directory, "amp-"))
    writeFileSync(join(home, "sourcewire-start.sh"), startScript)
    writeExecutable(join(home, "sourcewire"), sourcewire)
    writeExecutable(join(home, "srcds_run"), gameServer)
    const port = await freePort()
    const inCommandLine = readJson(settings.get("Meta.ConfigManifest")!).filter((each) => each["IncludeInCommandLine"])
    const values: Readonly<Record<string, string>> = {
      PlatformArgs: settings.get("App.LinuxCommandLineArgs")!,
      FormattedArgs: inCommandLine
        .map((each) =>
          settings
            .get("App.CommandLineParameterFormat")!
            .replace("{0}", String(each["ParamFieldName"]))
            .replace("{1}", String(each["DefaultValue"]))
        )
        .join(" "),
      ServerPort: String(port),
      ApplicationIPBinding: settings.get("App.ApplicationIPBinding")!,
      MaxUsers: settings.get("App.MaxUsers")!
    }
    let command = `${settings.get("App.ExecutableLinux")} ${settings.get("App.CommandLineArgs")}`
    while (command.includes("{{$")) command = command.replaceAll(/\{\{\$(\w+)\}\}/g, (_, name: string) => values[name]!)
    expect(command).toMatch(/^\/bin\/sh sourcewire-start\.sh .* -game cstrike .* \+map de_dust2 /)
    const printed = await runConsole(command, home, often, " is healthy: ")
    const ready = printed.split("\n").filter((line) => regex("Console.AppReadyRegex").test(line))
    expect(ready).toEqual([`127.0.0.1:${port} is healthy: 7/32 players on de_dust2`])
  })

  // The format of the log lines is described on https://developer.valvesoftware.com/wiki/HL_Log_Standard
  it.each([
    ["Console.UserJoinRegex", 'L 11/24/2026 - 10:20:30: "A "B" <c><12><[U:1:42]><>" entered the game', 'A "B" <c>'],
    [
      "Console.UserLeaveRegex",
      'L 11/24/2026 - 10:20:30: "Ann<3><STEAM_1:0:7><CT>" disconnected (reason "Kicked")',
      "Ann"
    ],
    ["Console.UserChatRegex", 'L 11/24/2026 - 10:20:30: "Ann<3><STEAM_1:0:7><CT>" say "hi"', "Ann"]
  ])("%s finds the name of a player in a log line, and ignores bots", (key, line, name) => {
    expect(regex(key).exec(line)?.groups?.["username"]).toBe(name)
    expect(regex(key).test(line.replace(/<(\[U.*?|STEAM.*?)>/, "<BOT>"))).toBe(false)
  })
})

describe("the start script", () => {
  it("prints a line for each change of the server's state, and ends when the server ends", async () => {
    const home = mkdtempSync(join(directory, "changes-"))
    // The program `sourcewire` of this test writes the exit code of each check to a file. The script of the game waits for these codes.
    writeExecutable(join(home, "sourcewire"), `(${sourcewire}); code=$?; echo $code >> codes; exit $code`)
    writeFileSync(join(home, "sourcewire-start.sh"), startScript)
    const port = await freePort()
    const serve = (people: number) =>
      `${program.map((word) => `'${word}'`).join(" ")} serve --port ${port} --people ${people} > log 2>&1 &`
    // Waits until the last two checks have this exit code. The start script prints the result of a check before it starts the next check.
    // Therefore the result of the first of these two checks has been printed.
    const checkedTwice = (code: number) =>
      `until [ "$(tail -n 2 codes 2>/dev/null | tr '\\n' ' ')" = '${code} ${code} ' ]; do sleep 0.1; done`
    // The second server still runs when the game's script ends. Therefore no check fails at the end.
    const game = [serve(3), checkedTwice(0), "kill -9 $!", checkedTwice(1), serve(4), checkedTwice(0)]
    writeFileSync(join(home, "game.sh"), game.join("\n"))
    const command = `sh sourcewire-start.sh 127.0.0.1:${port} sh game.sh`
    const lines = (await runConsole(command, home, often, "\0")).split("\n").filter((line) => line.includes(" is "))
    // The first server has three people and four bots, and the second server has four people and four bots.
    expect(lines).toEqual([
      `127.0.0.1:${port} is healthy: 7/32 players on de_dust2`,
      expect.stringContaining(`127.0.0.1:${port} is unhealthy: `),
      `127.0.0.1:${port} is healthy: 8/32 players on de_dust2`
    ])
  })

  it("does not print the result of a check if the server ends during this check", async () => {
    const home = mkdtempSync(join(directory, "end-"))
    const check = `if [ -f checked ]; then
  until [ -f ended ]; do sleep 0.1; done
  echo "$2 is unhealthy: port closed"
  exit 1
fi
touch checked
echo "$2 is healthy: 7/32 players on de_dust2, RTT 1 ms"`
    writeExecutable(join(home, "sourcewire"), check)
    writeFileSync(join(home, "sourcewire-start.sh"), startScript)
    const game = "until [ -f checked ]; do sleep 0.1; done"
    const command = `sh sourcewire-start.sh 127.0.0.1:1 sh -c '${game}'; touch ended`
    const printed = await runConsole(command, home, often, "\0")
    expect(printed).toBe("127.0.0.1:1 is healthy: 7/32 players on de_dust2\n")
  })

  it("reports that the program sourcewire is missing", () => {
    const empty = mkdtempSync(join(directory, "empty-"))
    writeFileSync(join(empty, "sourcewire-start.sh"), startScript)
    const { status, stderr } = spawnSync("/bin/sh", ["sourcewire-start.sh", "127.0.0.1:1", "true"], {
      cwd: empty,
      env: { PATH: "/nowhere" },
      encoding: "utf8"
    })
    expect(stderr).toContain(`sourcewire not found in ${empty}`)
    expect(status).toBe(1)
  })
})
