/**
 * `--steam-list`: reads Steam's player counts from a saved reply of `IGameServersService/GetServerList`. A reply with a million servers is
 * too long for one string in JavaScript. Therefore the file is read in pieces, and only the counts are stored.
 */
import { type ListEntry, SteamCounts } from "@sourcewire/verdict"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { UsageError, reading } from "../exitCode.ts"

/** Number of brackets that are open inside an entry. For example, in `{"response":{"servers":[{…}]}}`, four brackets are open at `…`. */
const ENTRY_DEPTH = 4

/**
 * Maximum length of an entry, in characters. The entries that Steam sends are much shorter. If an entry is longer than this maximum, the
 * file is rejected, because each entry is stored in memory.
 */
const MOST_CHARACTERS = 1 << 20

/** Extracts the objects of `response.servers` from a text that arrives in pieces. */
export class EntryCutter {
  private depth = 0
  private isInString = false
  private isEscaped = false
  /**
   * If the last piece ended inside an entry, this text is the part of the entry that has arrived so far. Outside of entries, this text is
   * the last string that was read, because this string can be the name of a field.
   */
  private text = ""
  private key = ""
  private isResponse = false
  private isList = false
  /** Whether the list `response.servers` was found in the text. */
  hasList = false
  /** Whether the outer object has arrived completely. */
  isWhole = false

  /** Adds a piece of the text. Returns the entries that end in this piece. */
  push(piece: string): Array<string> {
    const entries: Array<string> = []
    let from = this.isList && this.depth >= ENTRY_DEPTH ? 0 : -1
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false
        else if (char === "\\") this.isEscaped = true
        else if (char === '"') this.isInString = false
        if (this.depth < ENTRY_DEPTH && this.isInString && this.text.length < 64) this.text += char
        continue
      }
      if (char === '"') {
        this.isInString = true
        if (this.depth < ENTRY_DEPTH) this.text = ""
      } else if (char === ":" && this.depth < ENTRY_DEPTH) this.key = `${this.depth}${this.text}`
      else if (char === "{" || char === "[") {
        this.depth++
        if (this.depth === 2) this.isResponse = this.key === "1response"
        if (char === "[" && this.depth === ENTRY_DEPTH - 1 && this.isResponse && this.key === "2servers")
          this.isList = this.hasList = true
        if (char === "{" && this.depth === ENTRY_DEPTH && this.isList) {
          this.text = ""
          from = at
        }
      } else if (char === "}" || char === "]") {
        this.depth--
        if (this.depth === ENTRY_DEPTH - 1 && from >= 0) {
          entries.push(this.text + piece.slice(from, at + 1))
          this.text = ""
          from = -1
        } else if (this.depth === ENTRY_DEPTH - 2) this.isList = false
        else if (this.depth === 0) this.isWhole = true
      }
    }
    if (from < 0) return entries
    this.text += piece.slice(from)
    if (this.text.length > MOST_CHARACTERS) throw new SyntaxError("an entry is too long")
    return entries
  }
}

/** Steam's player counts, by the address of the server. */
export interface SteamList {
  readonly get: (address: string) => ListEntry | undefined
}

export const readSteamList = Effect.fnUntraced(function* (file: string) {
  const cutter = new EntryCutter()
  const counts = new SteamCounts()
  const { mtimeMs } = yield* reading(file, () => stat(file))
  const notJson = new UsageError(`--steam-list: ${file} is not JSON.`)
  const isJson = yield* reading(file, async () => {
    const pieces: AsyncIterable<string> = createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 20 })
    for await (const piece of pieces) {
      try {
        for (const entry of cutter.push(piece)) counts.add(JSON.parse(entry))
      } catch (error) {
        if (error instanceof SyntaxError) return false
        throw error
      }
    }
    return true
  })
  if (!isJson) return yield* notJson
  if (cutter.hasList && !cutter.isWhole) return yield* notJson
  if (!cutter.hasList) {
    return yield* new UsageError(
      `--steam-list: ${file} has no list response.servers. Use a file with a reply of GetServerList.`
    )
  }
  /** The file does not contain the time of Steam's counts. Therefore this time is assumed to be the file's modification time. */
  const list: SteamList = {
    get: (address) => {
      const entry = counts.get(address)
      return entry && { ...entry, atMs: mtimeMs }
    }
  }
  return list
})
