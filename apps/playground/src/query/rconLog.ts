/** The console: typed commands and their replies. */
import type { RconEvent } from "../../bridge/Api.ts"
import { signal } from "@preact/signals"
import { address } from "./exchange.ts"
import { Live } from "./live.ts"

export interface Entry {
  readonly kind: "command" | "reply" | "error"
  readonly text: string
}

/**
 * Maximum number of stored entries. The texts of a reply are joined in one entry until the entry has at least `MAX_CHARACTERS` characters.
 * Then the next text of the same reply begins a new entry.
 */
const MAX_ENTRIES = 500
const MAX_CHARACTERS = 200_000

export const entries = signal<ReadonlyArray<Entry>>([])

export const history = signal<ReadonlyArray<string>>([])

/** The password. It is stored in memory only, never in the URL. */
export const password = signal("")

/** The protocols of remote consoles. With `auto`, the protocol is detected. */
export const ENGINES = ["auto", "source", "goldsource", "quake"] as const

export const engine = signal<(typeof ENGINES)[number]>("auto")

/** The command that runs now. If no command runs, the last command. */
export const live = new Live()

const add = (entry: Entry): void => {
  const last = entries.value.at(-1)
  if (last !== undefined && last.kind === "reply" && entry.kind === "reply" && last.text.length < MAX_CHARACTERS) {
    entries.value = [...entries.value.slice(0, -1), { kind: "reply", text: last.text + entry.text }]
  } else entries.value = [...entries.value.slice(1 - MAX_ENTRIES), entry]
}

export const run = async (command: string): Promise<void> => {
  if (command.trim() === "" || live.running.value) return
  history.value = [...history.value.filter((one) => one !== command).slice(-99), command]
  add({ kind: "command", text: command })
  const body = { address: address.value.trim(), password: password.value, command, engine: engine.value }
  await live.follow<RconEvent>("/rcon", body, (event) => {
    if (event._tag === "Text") add({ kind: "reply", text: event.text })
    else if (event._tag === "Failed") add({ kind: "error", text: event.error.message })
  })
  if (live.ended.value !== undefined) add({ kind: "error", text: live.ended.value })
}
