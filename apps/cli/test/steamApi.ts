/**
 * Emulates two methods of Steam's Web API on loopback. The first method queries a server behind Steam's relays, and requires a key. The
 * second method lists the servers at an address. A test can simulate a rate limit and outages.
 *
 * @module
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export const KEY = "0123456789ABCDEF0123456789ABCDEF"

const QUERY = "/IGameServersService/QueryByFakeIP/v1/"
const AT = "/ISteamApps/GetServersAtAddress/v1/"

/** The address 169.254.173.35:13768 and a game, as parameters of the API. */
const FAKE = { fake_ip: "2852039971", fake_port: "13768", app_id: "440" }

const ANSWERS: Readonly<Record<string, object>> = {
  "1": {
    ping_data: {
      server_ip: { v4: 2_852_039_971 },
      query_port: 13_768,
      game_port: 13_768,
      server_name: "Behind \u001b[31mrelays",
      steamid: "90264374594008077",
      app_id: 440,
      gamedir: "tf",
      map: "cp_badlands",
      game_description: "Team Fortress",
      gametype: "cp",
      num_players: 3,
      max_players: 24,
      bot_count: 1,
      version: "9543365",
      secure: true,
      password: null
    }
  },
  "2": { players_data: { players: [{ name: "Zoë", score: 7, time_played: 61 }, { name: "two" }] } },
  "3": { rules_data: { rules: [{ rule: "mp_timelimit", value: "30" }, { rule: "empty" }] } }
}

const AT_ADDRESS = [
  {
    addr: "192.0.2.7:27015",
    gmsindex: -1,
    steamid: "90264374594008077",
    appid: 440,
    gamedir: "tf",
    region: 255,
    secure: true,
    lan: false,
    gameport: 27_015,
    specport: 0
  },
  { addr: "192.0.2.7:27016", gmsindex: -1, appid: 730, gamedir: "csgo", gameport: 27_016 },
  { nothing: true }
]

export interface SteamApi extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
  /** Paths and parameters of all requests, in the order of arrival. */
  readonly seen: Array<string>
  /**
   * For each of the next responses: the status code, and the number of seconds for the header `Retry-After`. If the status code is 0, the
   * API closes the connection without a response.
   */
  readonly refusals: Array<readonly [status: number, after?: number]>
}

export const startSteamApi = async (): Promise<SteamApi> => {
  const seen: Array<string> = []
  const refusals: Array<readonly [number, number?]> = []
  const server = createServer((request, response) => {
    seen.push(request.url!)
    const { pathname, searchParams } = new URL(request.url!, "http://steam")
    const hasKey = request.headers["x-webapi-key"] === KEY
    const isKeyless = pathname === AT
    const [status, after] = refusals.shift() ?? (isKeyless || hasKey ? [200] : [403])
    if (status === 0) return request.socket.destroy()
    if (status !== 200) {
      response.writeHead(status, after === undefined ? {} : { "retry-after": String(after) })
      return response.end("<html><body>Forbidden</body></html>")
    }
    const parameters = Object.fromEntries(searchParams)
    const isKnown = Object.entries(FAKE).every(([name, value]) => parameters[name] === value)
    const answer =
      pathname === AT
        ? { success: true, servers: parameters["addr"] === "192.0.2.7" ? AT_ADDRESS : [] }
        : pathname === QUERY && isKnown
          ? ANSWERS[parameters["query_type"]!]
          : {}
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ response: answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    env: {
      SOURCEWIRE_STEAM_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      STEAM_API_KEY: KEY
    },
    seen,
    refusals,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
