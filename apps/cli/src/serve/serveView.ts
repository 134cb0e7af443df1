/** The live view of `serve`. It shows the servers, example commands, and the requests. */
import { formatAddress } from "@sourcewire/core"
import type { ServerCounters } from "@sourcewire/emulator/machines"
import type { SocketCounters } from "@sourcewire/server/machines"
import * as Effect from "effect/Effect"
import { type Frame, type ScreenCanvas, FRAME_ROWS } from "../live/frame.ts"
import { runView } from "../live/screen.ts"
import { uncoloured, fit, padEnd, safe } from "../output/text.ts"
import { type Column, left, right, table } from "../output/table.ts"
import { plural } from "../view/quantities.ts"
import { type ServedLog, type ServedRequest, formatFaults, readName, formatOutcome } from "./ServedLog.ts"

/** Counters of a server or a master. */
type Counters = Omit<SocketCounters, "socketFaults"> & Partial<ServerCounters>

/** A game server or a master server, with the texts for the live view and for the summary. */
export interface ServedOne {
  readonly listening: string
  readonly what: string
  /**
   * A short text about the server. For a game server, this text names the RCON protocol, the kinds of replies that are read from a file,
   * and the faults. For a master server, this text is the number of listed servers.
   */
  readonly besides: string
  /** An example command for this server. */
  readonly hint: string
  /** The name of the server in the summary (default: the value of `listening`). */
  readonly named?: string
  readonly counters: () => Counters
}

export interface ServeState {
  readonly servers: ReadonlyArray<ServedOne>
  readonly log: ServedLog
  /** Warnings about servers that other hosts can reach. */
  readonly warnings: ReadonlyArray<string>
}

const KEYS = [
  ["p", "pause"],
  ["f", "faults only"],
  ["c", "clear"]
] as const

/** A server with the current values of its counters. */
type Counted = Omit<ServedOne, "counters"> & ReturnType<ServedOne["counters"]>

const COLUMNS: ReadonlyArray<Column<Counted>> = [
  left("server", ({ listening }, { strong }) => ({ text: listening, paint: strong })),
  left("is", ({ what }) => what),
  left("with", ({ besides }) => besides, { flexible: true }),
  right("requests", ({ requests }) => String(requests)),
  right("replies", ({ replies }) => String(replies)),
  right("no reply", ({ unanswered }, { warning }) =>
    unanswered === 0 ? "" : { text: String(unanswered), paint: warning }
  )
]

const ADDRESS_COLUMNS = 21
const NAME_COLUMNS = 18

const formatClock = (at: number): string => {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":")
}

const requestLine = (
  request: ServedRequest,
  servers: ReadonlyArray<ServedOne>,
  { columns, palette }: ScreenCanvas
): string => {
  const faults = formatFaults(request)
  const from = safe(formatAddress({ host: request.address, port: request.port }))
  const to = servers.length > 1 ? ` → ${padEnd(servers[request.server]!.what, 8)}` : ""
  const head = `${padEnd(from, ADDRESS_COLUMNS)}${to}  ${padEnd(readName(request.request), NAME_COLUMNS)}  `
  const mark = faults === "" ? "" : `✗ ${faults}  `
  const outcome = uncoloured(formatOutcome(request))
  const room = Math.max(8, columns - head.length - "00:00:00  ".length - mark.length)
  const shown = fit(outcome, room)
  const painted = request.injected.size > 0 || !request.answered ? palette.warning(shown) : shown
  return `${palette.faint(formatClock(request.at))}  ${head}${palette.bad(mark)}${painted}`
}

export const serveFrame = ({ log, servers, warnings }: ServeState, canvas: ScreenCanvas): Frame => {
  const { columns, palette, rows, scrolling } = canvas
  const counted = servers.map(({ counters, ...one }) => ({ ...one, ...counters() }))
  const hints = servers.slice(0, 2).map(({ hint }) => `  ${palette.accent(fit(hint, columns - 2))}`)
  const above = [
    ...table(COLUMNS, counted, canvas),
    "",
    "In another terminal:",
    ...hints,
    "",
    ...warnings.map((text) => palette.warning(fit(text, columns)))
  ]
  const shown = scrolling.window(log.list, rows - FRAME_ROWS - above.length)
  const below =
    shown.length > 0
      ? shown.map((request) => requestLine(request, servers, canvas))
      : [palette.faint(log.faultsOnly ? "No faults yet." : "No requests yet.")]
  return {
    title: plural(servers.length, "emulated server"),
    state: `${plural(log.requests, "request")}${log.faults === 0 ? "" : `, ${log.faults} with faults`}${log.isPaused ? " · paused" : ""}`,
    body: [...above, ...below],
    keys: KEYS
  }
}

export const showServe = (state: ServeState) => {
  const { log } = state
  const onKey = (key: string): void => {
    if (key === "p") log.isPaused = !log.isPaused
    else if (key === "f") log.faultsOnly = !log.faultsOnly
    else if (key === "c") log.clear()
  }
  return runView({ frame: (canvas) => serveFrame(state, canvas), onKey }, Effect.never)
}
