/** One live query and its result. */
import type { Answer, AskEvent, Failure, Kind } from "../../bridge/Api.ts"
import { fromHex } from "@sourcewire/protocol"
import { batch, computed, signal } from "@preact/signals"
import { anatomise, findRow, survey } from "@sourcewire/ui/analysis"
import { type Finding, diagnose } from "@sourcewire/diagnosis"
import type { Shown } from "../explain/exports.ts"
import { findDatagramRow, findSpans } from "../explain/explanation.ts"
import { focusFindings } from "../explain/focus.ts"
import { forget, makeInspection, pointAt } from "@sourcewire/ui/inspector"
import { networkName } from "../network/networks.ts"
import { type Values, go, tab } from "../state/address.ts"
import { emulated, restore, scenario } from "./emulated.ts"
import { Live } from "./live.ts"
import { type Passed, makeArrows, findBrackets } from "./sequence.ts"

/** The address that the user has entered. All views that query one server use this signal, so that they show the same address. */
export const address = signal("127.0.0.1:27015")

/** The kinds of queries, with their labels. */
export const KINDS: Readonly<Record<Kind, string>> = {
  query: "everything",
  info: "info",
  players: "players",
  rules: "rules",
  ping: "ping",
  challenge: "challenge"
}

export const kind = signal<Kind>("query")

export const passed = signal<ReadonlyArray<Passed>>([])

export const answer = signal<Answer | undefined>(undefined)

/** The query that runs now. If no query runs, the last query. */
export const live = new Live()

/** Why the server could not be queried, or why there was no reply. */
export const failure = signal<Failure | undefined>(undefined)

export const arrows = computed(() => makeArrows(passed.value))

/** For each reply that arrived in fragments: a bracket that marks the fragments in the diagram. */
export const brackets = computed(() => findBrackets(passed.value))

const refused = computed(() => new Set(failure.value?._tag === "PortClosed" ? [passed.value[0]?.to ?? ""] : []))

/** The findings of the exchange. Empty until the exchange has ended. */
export const diagnoses = computed(() =>
  live.running.value || passed.value.length === 0 ? [] : diagnose(passed.value, { refused: refused.value })
)

export const shownForExport = (): Shown => ({ datagrams: passed.value, encoding: "auto", refused: refused.value })

/** Selects the arrow and the bytes that a finding is about. */
export const point = (finding: Finding): void => {
  forget(inspection)
  // If the finding is about a joined reply, this code selects the arrow of the last fragment. Then the inspector shows the joined reply.
  const rows = survey(passed.value)
  chosenArrow.value = rows[findDatagramRow(rows, finding.places[0]!.datagram)]?.datagrams.at(-1) ?? -1
  const anatomy = inspection.anatomy.value
  if (anatomy !== undefined) pointAt(inspection, findSpans(finding, anatomy, passed.value), finding.field)
}

/** Index of the selected arrow. -1 if no arrow is selected. */
export const chosenArrow = signal(-1)

/**
 * State of the inspector below the diagram. The inspector shows the datagram of the selected arrow. If this datagram is the last fragment
 * of a joined reply, the inspector shows the joined reply.
 */
export const inspection = makeInspection(
  computed(() => {
    const row = findRow(survey(passed.value), chosenArrow.value)
    return row && anatomise(row, passed.value)
  })
)

const MAX_DATAGRAMS = 2000

/** Starts the query, and records its events. */
export const sendQuery = async (): Promise<void> => {
  batch(() => {
    passed.value = []
    answer.value = undefined
    failure.value = undefined
    chosenArrow.value = -1
  })
  await live.follow<AskEvent>("/ask", { address: address.value.trim(), kind: kind.value }, (event) => {
    if (event._tag === "Datagram") {
      if (passed.value.length < MAX_DATAGRAMS) passed.value = [...passed.value, toPassed(event)]
    } else if (event._tag === "Answered") answer.value = event.answer
    else failure.value = event.error
  })
}

/** Queries a server that the user has selected in another view. */
export const queryServer = (server: string): void => {
  address.value = server
  if (tab.value !== "query") go("query")
  scrollTo(0, 0)
  void sendQuery().then(focusFindings)
}

/**
 * Replaces the emulated servers of the page, and queries the last of the new servers. `servers` describes the new servers in the format of
 * links.
 */
export const queryScenario = async (servers: string): Promise<void> => {
  await restore(servers, undefined)
  const server = emulated.value.at(-1)
  if (server === undefined) return go("emulator")
  kind.value = "query"
  queryServer(server.address)
}

/**
 * The state that the page stores in the URL if a view queries servers: the address, the kind of query, and the emulated servers of the
 * page. If the user opens a link that contains emulated servers, the page queries the address immediately, because this query sends nothing
 * to the real network. If the link contains no emulated servers, the page sends no query until the user submits the form.
 */
export const kept = {
  key: "a",
  watched: [address, kind, emulated, networkName],
  save: async (): Promise<Values> => ({
    a: address.value.trim(),
    k: kind.value === "query" ? undefined : kind.value,
    ...(await scenario())
  }),
  recall: async (parameters: ReadonlyMap<string, string>): Promise<void> => {
    const servers = parameters.get("e")
    batch(() => {
      address.value = parameters.get("a") ?? ""
      kind.value = (Object.keys(KINDS) as Array<Kind>).find((one) => one === parameters.get("k")) ?? "query"
    })
    if (servers === undefined) return
    await restore(servers, parameters.get("g"))
    if (tab.value === "query") await sendQuery()
  }
}

const PAGE = "this page"

const toPassed = ({ direction, hex, remote, timeMs }: Extract<AskEvent, { _tag: "Datagram" }>): Passed => ({
  direction,
  timeMs,
  bytes: fromHex(hex) ?? new Uint8Array(0),
  from: direction === "sent" ? PAGE : remote,
  to: direction === "sent" ? remote : PAGE
})
