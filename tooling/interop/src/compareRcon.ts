/** Compares the replies that other authors' RCON clients receive from our servers with the replies that our client receives. */
import { emulatedConsole, profiles } from "@sourcewire/emulator"
import { startRconServer } from "@sourcewire/server"
import { rcon as connectRcon } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"
import { type RconClient, rconClients, type Session } from "./rconClients.ts"
import { type Comparison, type Reasons, type Row, cells, settled } from "./report.ts"

const PASSWORD = "correct-horse"
const PATIENCE_MS = 6000

const ABOUT = {
  source: "RCON server, Source (TCP)",
  goldsource: "RCON server, GoldSource (UDP)",
  quake: "RCON server, Quake style (UDP)"
} as const

type Engine = keyof typeof ABOUT

/** Commands with a short reply, a long reply, a reply with text beyond ASCII, and an empty reply. */
const COMMANDS: ReadonlyArray<string> = ["status", "cvarlist", "echo Zoë ★", "sv_gravity 600"]

/** Compares two replies, but ignores white space at both ends, because some clients remove the end of the last line. */
const same = (a: string | undefined, b: string | undefined): boolean => a?.trim() === b?.trim()

const compareOne = async (
  client: RconClient,
  engine: Engine,
  port: number,
  ours: ReadonlyArray<string>
): Promise<ReadonlyArray<Comparison>> => {
  const opened = client.open(port, PASSWORD, engine)
  const session: Session | undefined = await settled(opened, PATIENCE_MS)
  const login: Comparison = { part: "login", amount: "login", differs: session === undefined ? ["refused"] : [] }
  if (session === undefined) return [login]
  const differs: Array<string> = []
  for (const [i, command] of COMMANDS.entries()) {
    const theirs = await settled(session.exec(command), PATIENCE_MS)
    if (!same(theirs, ours[i])) differs.push(command)
  }
  await settled(Promise.resolve(session.close()), PATIENCE_MS)
  return [
    login,
    ...COMMANDS.map((command) => {
      const part = `\`${command}\``
      return { part, amount: part, differs: differs.includes(command) ? [part] : [] }
    })
  ]
}

/** Checks over TCP that a login with a wrong password fails. Over UDP, clients cannot detect a wrong password at login. */
const compareRefusal = async (client: RconClient, engine: Engine): Promise<ReadonlyArray<Comparison>> => {
  if (engine !== "source") return []
  await using server = await startRconServer({
    transport: layer,
    engine,
    port: 0,
    password: PASSWORD,
    handler: () => ""
  })
  const session = await settled(client.open(server.local.port, "wrong", engine), PATIENCE_MS)
  await settled(Promise.resolve(session?.close()), PATIENCE_MS)
  return [{ part: "wrong password", amount: "wrong password", differs: session === undefined ? [] : ["accepted"] }]
}

const serve = (engine: Engine) =>
  startRconServer({
    transport: layer,
    engine,
    port: 0,
    password: PASSWORD,
    handler: emulatedConsole(engine === "source" ? profiles.css() : profiles.cs16())
  })

/** The rows of the page for all RCON clients. */
export const compareRcon = async (reasons: Reasons): Promise<ReadonlyArray<Row>> => {
  const rows = rconClients().flatMap((client) =>
    client.engines.map(async (engine): Promise<Row> => {
      // Our client and the other client use separate servers, because commands change the state of the server.
      await using server = await serve(engine)
      await using other = await serve(engine)
      const session = await connectRcon(`127.0.0.1:${server.local.port}`, { password: PASSWORD, engine })
      const ours: Array<string> = []
      for (const command of COMMANDS) ours.push(await session.exec(command))
      await session.close()
      const comparisons = [
        ...(await compareOne(client, engine, other.local.port, ours)),
        ...(await compareRefusal(client, engine))
      ]
      const { from, program, version } = client
      const about = ABOUT[engine]
      return { program, version, from, with: about, ...cells(comparisons, `${program}, ${about}`, reasons) }
    })
  )
  return Promise.all(rows)
}
