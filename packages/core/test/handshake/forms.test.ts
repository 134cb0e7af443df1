/** The handshake with each kind of server. The replies are built by hand, in the format of real servers. */
import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { HandshakeForm } from "../../src/handshake/forms.ts"
import { HandshakeExchange } from "../../src/handshake/HandshakeExchange.ts"
import { DEFAULT_RETRIES, INITIAL_RTO_MS } from "../../src/Limits.ts"
import type { ExchangeSettings } from "../../src/engine/Exchange.ts"
import { drive, type Server } from "../drive.ts"

const settings: ExchangeSettings = { timeoutMs: 3000, retries: DEFAULT_RETRIES, encoding: "auto", random: () => 0.5 }

const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex")
const whole = (text: string): string => `ffffffff${ascii(text)}`

/** The client's number, and the bytes of the number in hex. */
const OURS = 0x0badf00d
const NUMBER = "0df0ad0b"

const ASK_SOURCE = `ffffffff71${NUMBER}${ascii("0000000000\0")}`
const askCsgo = (digits = "00000000"): string => whole(`qconnect0x${digits}\0`)
const ASK_GOLDSOURCE = whole("getchallenge steam\n")
const ASK_INFO = whole("TSource Engine Query\0")

const STEAM_ID = "8967452301004001"
const STEAM_ID_TEXT = "90071997434128265"

/** Replies of Source 2013 servers: a relay (authentication protocol 2) and a game server (authentication protocol 3). */
const RELAY = `ffffffff4133494f5ad2029649${NUMBER}02000000`
const SOURCE = `ffffffff4133494f5ad2029649${NUMBER}030000000000${STEAM_ID}01${ascii("000000\0")}`

/** A reply of CS:GO. The default challenge is 0x0DE7F805. */
const csgo = (context: string, { challenge = "05f8e70d", lobby = "", password = "00" } = {}): string =>
  `ffffffff41${challenge}030000000000${STEAM_ID}00${ascii(`${context}\0`)}be350000${ascii(`${lobby}\0`)}${password}ffffffffffffffff000000`

const GOLDSOURCE = whole(`A00000000 352753098 3 ${STEAM_ID_TEXT} 0\n\0`)

const run = (server: Server, form?: HandshakeForm, over: Partial<ExchangeSettings> = {}) =>
  drive(new HandshakeExchange(OURS, { ...settings, ...over }, undefined, form), server)

/** A server that replies only to these requests. */
const only =
  (replies: Readonly<Record<string, string | undefined>>, after = 20): Server =>
  (request) => {
    const hex = replies[request]
    return hex === undefined ? [] : [{ hex, after }]
  }

const getAnswer = ({ result }: ReturnType<typeof run>) => Result.getOrThrow(result)
const getFailure = ({ result }: ReturnType<typeof run>) => Result.getOrThrow(Result.flip(result))

describe("a handshake with a Source 2013 server", () => {
  it("returns the SteamID and the state of VAC after the first request if the server uses Steam", () => {
    const course = run(only({ [ASK_SOURCE]: SOURCE }))
    expect(course.sent.map(({ hex }) => hex)).toEqual([ASK_SOURCE])
    expect(getAnswer(course)).toMatchObject({
      form: "source",
      authProtocol: 3,
      authProtocolName: "steam",
      steamId: STEAM_ID_TEXT,
      vac: true,
      clientChallenge: OURS,
      rttMs: 20
    })
  })

  it("returns the authentication protocol, but no SteamID and no VAC, if the server is a relay", () => {
    const answer = getAnswer(run(only({ [ASK_SOURCE]: RELAY })))
    expect(answer).toMatchObject({ form: "source", authProtocol: 2, authProtocolName: "hashed-cd-key" })
    expect(answer).not.toHaveProperty("steamId")
    expect(answer).not.toHaveProperty("vac")
  })

  it("switches back to Source 2013's form if a reply shows that the server has misread CS:GO's request", () => {
    // The server mistakes the first bytes of the word `connect` for the client's number, and returns these bytes.
    const misread = SOURCE.replace(NUMBER, ascii("conn"))
    let isFirst = true
    const course = run((request) => {
      if (request === askCsgo()) return [{ hex: misread, after: 20 }]
      if (request !== ASK_SOURCE) return []
      const isLost = isFirst
      isFirst = false
      return isLost ? [] : [{ hex: SOURCE, after: 20 }]
    })
    expect(course.sent.map(({ hex }) => hex)).toEqual([ASK_SOURCE, askCsgo(), ASK_SOURCE])
    expect(getAnswer(course)).toMatchObject({ form: "source", steamId: STEAM_ID_TEXT })
  })

  it.each([
    [
      "a known name",
      `ffffffff39${NUMBER}${ascii("#GameUI_ServerRejectOldVersion\0")}`,
      "#GameUI_ServerRejectOldVersion"
    ],
    ["another text", `ffffffff39${NUMBER}${ascii("Not today\n\0")}`, "Not today"]
  ])(
    "fails with Refused, and the error contains the reason of the rejection without the client's number: %s",
    (_, hex, text) => {
      expect(getFailure(run(only({ [ASK_SOURCE]: hex })))).toMatchObject({
        _tag: "Refused",
        text,
        message: `The server refused the request: ${text}`
      })
    }
  )

  it("removes the client's number from the reason of a rejection, even if the bytes of the number are letters", () => {
    const printable = drive(new HandshakeExchange(0x64636261, settings), () => [
      { hex: `ffffffff39${ascii("abcdNot today\0")}`, after: 5 }
    ])
    expect(Result.getOrThrow(Result.flip(printable.result))).toMatchObject({ _tag: "Refused", text: "Not today" })
  })

  it("drops a rejection that does not contain the client's number, and fails with UnexpectedReply if no other reply arrives", () => {
    const forged = `ffffffff3901020304${ascii("#GameUI_ServerRejectOldVersion\0")}`
    expect(getFailure(run(only({ [ASK_SOURCE]: forged })))).toMatchObject({ _tag: "UnexpectedReply", type: 0x39 })
    const course = run((request) =>
      request === ASK_SOURCE
        ? [
            { hex: forged, after: 5 },
            { hex: SOURCE, after: 9 }
          ]
        : []
    )
    expect(getAnswer(course)).toMatchObject({ form: "source", rttMs: 9 })
  })
})

describe("a handshake with a CS:GO server", () => {
  it("tries Source 2013's form first, and ends after the first reply in CS:GO's form", () => {
    const course = run(only({ [askCsgo()]: csgo("connect0x00000000", { password: "01" }) }))
    expect(course.sent).toEqual([
      { at: 0, hex: ASK_SOURCE },
      { at: INITIAL_RTO_MS, hex: askCsgo() }
    ])
    expect(getAnswer(course)).toMatchObject({
      form: "csgo",
      authProtocol: 3,
      steamId: STEAM_ID_TEXT,
      vac: false,
      lobbyType: "",
      passwordRequired: true,
      clientChallenge: 0,
      rttMs: 20
    })
  })

  it.each([undefined, "csgo"] as const)(
    "sends the server's challenge in another request if the first reply is connect-retry (option `form`: %s)",
    (form) => {
      const course = run(
        only({
          [askCsgo()]: csgo("connect-retry", { lobby: "public" }),
          [askCsgo("0DE7F805")]: csgo("connect0x0DE7F805", { lobby: "public" })
        }),
        form
      )
      expect(course.sent.slice(-2).map(({ hex }) => hex)).toEqual([askCsgo(), askCsgo("0DE7F805")])
      expect(course.sent).toHaveLength(form === undefined ? 3 : 2)
      expect(getAnswer(course)).toMatchObject({
        form: "csgo",
        lobbyType: "public",
        passwordRequired: false,
        clientChallenge: 0x0de7f805,
        rttMs: 20,
        reply: { context: "connect0x0DE7F805", hostVersion: 13758, lobbyId: "18446744073709551615" }
      })
    }
  )

  it("switches to CS:GO's form if the server sends a reply of CS:GO to the request of Source 2013", () => {
    const course = run(only({ [ASK_SOURCE]: csgo("x"), [askCsgo("0DE7F805")]: csgo("connect0x0DE7F805") }))
    expect(course.sent.map(({ hex }) => hex)).toEqual([ASK_SOURCE, askCsgo("0DE7F805")])
    expect(getAnswer(course)).toMatchObject({ form: "csgo" })
  })

  it.each(["connect-lan-only", "connect-matchmaking-only"])("ends after the reply %s", (context) => {
    const answer = getAnswer(run(only({ [askCsgo()]: csgo(context) }), "csgo"))
    expect(answer).toMatchObject({ form: "csgo", reply: { context }, sent: 1 })
  })

  it("fails with TooManyChallenges if every reply is connect-retry", () => {
    let next = 0
    const course = run(
      () => [{ hex: csgo("connect-retry", { challenge: `${String(10 + next++)}000000` }), after: 5 }],
      "csgo"
    )
    expect(getFailure(course)).toMatchObject({ _tag: "TooManyChallenges", rounds: 8 })
    expect(course.sent).toHaveLength(9)
    const same = run(() => [{ hex: csgo("connect-retry"), after: 5 }], "csgo")
    expect(getFailure(same)).toMatchObject({ _tag: "TooManyChallenges", rounds: 8 })
  })

  it("sends the server's challenge once if the network duplicates the connect-retry reply", () => {
    const course = run((request) => {
      if (request === askCsgo()) return [20, 21, 22].map((after) => ({ hex: csgo("connect-retry"), after }))
      return [{ hex: csgo("connect0x0DE7F805"), after: 20 }]
    }, "csgo")
    expect(course.sent).toHaveLength(2)
    expect(getAnswer(course)).toMatchObject({ clientChallenge: 0x0de7f805 })
  })

  it.each([
    [undefined, ASK_SOURCE],
    ["csgo", askCsgo()]
  ] as const)("returns the address to which the server redirects players (option `form`: %s)", (form, request) => {
    const redirect = whole("9ConnectRedirectAddress:192.0.2.7:27016\n\0")
    const course = run(only({ [request]: redirect }), form)
    expect(getAnswer(course)).toMatchObject({
      redirect: "192.0.2.7:27016",
      reply: { _tag: "ConnectionRejected" },
      sent: 1,
      rttMs: 20
    })
    expect(getAnswer(course)).not.toHaveProperty("form")
  })

  it("fails with Refused if the server sends a rejection without the client's number", () => {
    const hex = whole("9#GameUI_ServerRejectBadChallenge\0")
    expect(getFailure(run(only({ [askCsgo()]: hex }), "csgo"))).toMatchObject({
      _tag: "Refused",
      text: "#GameUI_ServerRejectBadChallenge"
    })
  })

  it("sends the server's challenge in another request if the first reply is a plain challenge", () => {
    const course = run(
      only({
        [askCsgo()]: "ffffffff4105f8e70d",
        [askCsgo("0DE7F805")]: csgo("connect0x0DE7F805")
      }),
      "csgo"
    )
    expect(getAnswer(course)).toMatchObject({ form: "csgo", sent: 2, clientChallenge: 0x0de7f805 })
  })

  it("fails with Malformed if the reply is truncated, and the error contains the field and the offset", () => {
    const cut = csgo("connect0x00000000").slice(0, 2 * 40)
    expect(getFailure(run(only({ [askCsgo()]: cut }), "csgo"))).toMatchObject({
      _tag: "Malformed",
      messageTag: "CsgoHandshakeChallenge",
      field: "context",
      offset: 24
    })
  })
})

describe("a handshake with a GoldSource server", () => {
  it("tries the forms of Source 2013 and CS:GO first, and decodes the text of the reply", () => {
    const course = run(only({ [ASK_GOLDSOURCE]: GOLDSOURCE }))
    expect(course.sent.map(({ at, hex }) => [at, hex])).toEqual([
      [0, ASK_SOURCE],
      [INITIAL_RTO_MS, askCsgo()],
      [2 * INITIAL_RTO_MS, ASK_GOLDSOURCE]
    ])
    const answer = getAnswer(course)
    expect(answer).toMatchObject({
      form: "goldsource",
      authProtocol: 3,
      authProtocolName: "steam",
      steamId: STEAM_ID_TEXT,
      vac: false,
      rttMs: 20,
      reply: { _tag: "GoldSourceHandshakeChallenge", serverChallenge: 352753098 }
    })
    expect(answer).not.toHaveProperty("clientChallenge")
  })

  it("returns no SteamID if the server is an HLTV proxy", () => {
    const answer = getAnswer(run(only({ [ASK_GOLDSOURCE]: whole("A00000000 327160704 2\n\0") }), "goldsource"))
    expect(answer).toMatchObject({ form: "goldsource", authProtocol: 2, sent: 1 })
    expect(answer).not.toHaveProperty("steamId")
  })
})

describe("a handshake without a reply in the first half of the time limit", () => {
  const failureMessage = (course: ReturnType<typeof run>): string => getFailure(course).message

  it("reports that a server of Xash3D supports queries and has its own handshake", () => {
    const course = run(
      only({
        [ASK_GOLDSOURCE]: whole("challenge -378436140 0"),
        [ASK_INFO]: `ffffffff4931${ascii("n\0m\0f\0g\0")}00000010056c6c0000${ascii("0.21\0")}`
      })
    )
    expect(getFailure(course)).toMatchObject({ _tag: "Timeout", phase: "request", alive: true, received: 0 })
    expect(failureMessage(course)).toContain("replies to queries (A2S_INFO), but not to this handshake")
    expect(failureMessage(course)).toContain("It has its own handshake")
    expect(failureMessage(course)).not.toContain("no queries")
    expect(course.endedAt).toBe(3000)
  })

  it.each([
    [
      "an INFO reply in GoldSource's dialect, as HLTV sends it",
      `ffffffff6d${ascii("127.0.0.1:27017\0HLTV\0m\0valve\0HLTV\0")}008030706c000000`
    ],
    ["a challenge", "ffffffff41645056eb"]
  ])("reports that the server supports queries if the reply to an INFO request is %s", (_, hex) => {
    const course = run(only({ [ASK_INFO]: hex }))
    expect(getFailure(course)).toMatchObject({ _tag: "Timeout", phase: "request", alive: true })
    expect(failureMessage(course)).toContain("replies to queries (A2S_INFO), but not to this handshake")
    // No more probes are sent after this reply.
    expect(course.sent.filter(({ hex: sent }) => sent === whole("i"))).toEqual([])
  })

  it("reports that the server supports queries if it replies only to `infostring`, as an HLTV proxy without a game does", () => {
    const course = run(only({ [whole("infostring")]: whole("infostringresponse\0\\protocol\\48\0") }))
    expect(failureMessage(course)).toContain("replies to queries (infostring), but not to this handshake")
  })

  it("reports that the server is up if only a ping gets a reply", () => {
    const course = run(only({ [whole("i")]: "ffffffff6a00" }))
    expect(getFailure(course)).toMatchObject({ _tag: "Timeout", alive: true })
    expect(failureMessage(course)).toContain("replies to a ping, but neither to this handshake nor to A2S_INFO")
  })

  it("does not report that the server is up if no probe gets a reply", () => {
    const course = run(() => [])
    expect(getFailure(course)).toMatchObject({ _tag: "Timeout", phase: "request", received: 0 })
    expect(getFailure(course)).not.toHaveProperty("alive")
    const signs = [ASK_INFO, whole("i"), ASK_INFO, whole("ping"), whole("infostring")]
    expect(course.sent.filter(({ hex }) => signs.includes(hex))).toEqual(
      signs.map((hex, i) => ({ at: [1800, 2100, 2250, 2400, 2700][i], hex }))
    )
    expect(getFailure(course)).toMatchObject({ sent: course.sent.length - signs.length })
    expect(course.endedAt).toBe(3000)
  })

  it("sends no probes if the client has fewer retries than the default", () => {
    const { sent } = run(() => [], undefined, { retries: 0 })
    expect(sent.map(({ hex }) => hex)).toEqual([ASK_SOURCE, askCsgo(), ASK_GOLDSOURCE])
  })

  it("succeeds if the handshake reply arrives late, even after the reply to a probe", () => {
    const course = run((request, nth) => {
      if (request === ASK_INFO) return [{ hex: "ffffffff6a00", after: 20 }]
      return nth === 1 ? [{ hex: SOURCE, after: 2500 }] : []
    })
    expect(getAnswer(course)).toMatchObject({ form: "source", clientChallenge: OURS })
  })
})
