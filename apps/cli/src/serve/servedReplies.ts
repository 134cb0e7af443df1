/**
 * `serve --replies`: reads replies from a file that the playground has exported, or from a capture. The emulated servers send these replies
 * without changes.
 */
import { CaptureReader } from "@sourcewire/capture"
import { fromHex } from "@sourcewire/protocol"
import {
  type GivenReply,
  RepliesFile,
  type ServerReplies,
  givenReplies,
  repliesIn
} from "@sourcewire/playground/replies"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { isLoopback } from "../bind.ts"
import { UsageError, displayFileName, reading } from "../exitCode.ts"
import { decodeConfig } from "../files/configFile.ts"
import { readBytes } from "../lines.ts"
import { plural } from "../view/quantities.ts"

/** Maximum size of the file, in bytes. A user with a larger capture must save a part of the capture as a new file. */
const MAX_BYTES = 64 * 1024 * 1024

/** Maximum number of servers that an error message names. */
const MAX_NAMED = 3

type Datagrams = Parameters<typeof repliesIn>[0]

const readFile = (file: string) =>
  reading(file, async () => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    for await (const chunk of readBytes(file)) {
      size += chunk.length
      if (size > MAX_BYTES) throw new Error("it is larger than 64 MB. Save the conversation with one server only")
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  })

/**
 * A line of the playground's export. If the line contains a message, `datagrams` lists the numbers of the datagrams in which the message
 * was sent. If the line contains a finding, `datagrams` is absent.
 */
interface ExportedLine {
  readonly datagrams?: ReadonlyArray<number>
  readonly hex?: string
  readonly source?: string
  readonly destination?: string
}

/** Reads the datagrams from JSON lines. Returns `undefined` if the text is not an export of the playground. */
const readJsonLines = (text: string): Datagrams | undefined => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const parsed = Result.try(() => lines.map((line) => JSON.parse(line) as ExportedLine | null))
  if (Result.isFailure(parsed) || !parsed.success.some((line) => typeof line?.hex === "string")) return undefined
  // If several lines contain the number of the same datagram, only the first of these lines is used. If a fragment cannot be joined, an
  // export contains a second line with the number of this fragment: the line with the error.
  const found = new Map<number, Datagrams[number]>()
  for (const line of parsed.success) {
    const [number, ...others] = line?.datagrams ?? []
    const bytes = typeof line?.hex === "string" ? fromHex(line.hex) : undefined
    if (number === undefined || others.length > 0 || bytes === undefined || found.has(number)) continue
    found.set(number, { bytes, from: line?.source, to: line?.destination })
  }
  return [...found.values()]
}

const nameServers = (servers: ReadonlyArray<ServerReplies>): string => {
  const names = servers.map(({ server }) => server ?? "an unknown one")
  const more = names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : []
  return [...names.slice(0, MAX_NAMED), ...more].join(", ")
}

/** Returns the replies among the datagrams. If there are no replies, or if the replies are from several servers, returns an error. */
const chooseServer = (datagrams: Datagrams): Result.Result<ReadonlyArray<GivenReply>, UsageError> => {
  const servers = repliesIn(datagrams)
  const [only, ...others] = servers
  if (only === undefined) {
    return Result.fail(
      new UsageError(
        `it contains ${plural(datagrams.length, "datagram")}, but no reply to a query. Capture a query together with its reply`
      )
    )
  }
  if (others.length === 0) return Result.succeed(only.replies)
  return Result.fail(
    new UsageError(
      `it contains replies of ${servers.length} servers (${nameServers(servers)}). Save the conversation with one server only, for example with the filter of the playground`
    )
  )
}

const parseReplies = (bytes: Uint8Array): Result.Result<ReadonlyArray<GivenReply>, { readonly message: string }> => {
  const text = new TextDecoder().decode(bytes)
  if (!text.trimStart().startsWith("{")) {
    const reader = new CaptureReader()
    const datagrams = reader.add(bytes)
    const problem = reader.end()
    if (problem === undefined) return chooseServer(datagrams)
    const isCapture = reader.packets > 0
    return Result.fail(
      new UsageError(
        `${problem.message}${isCapture ? ". Capture it again, or repair it with Wireshark" : ", and not JSON. Export the replies from the playground, or capture a query"}`
      )
    )
  }
  const exported = readJsonLines(text)
  if (exported !== undefined) return chooseServer(exported)
  return decodeConfig(RepliesFile, text).pipe(
    Result.map(({ replies }) => replies),
    Result.mapError(({ message }) => new UsageError(`${message}. Correct it, or export it from the playground again`))
  )
}

/**
 * Returns an intercept that sends the replies in a file, and the kinds of requests to which this intercept replies (`kinds`). Fails if
 * `faults` contains a fault, or if `host` is not a loopback address. If the server listened on another address, attackers could direct the
 * replies at a victim, because the challenge in the file never changes, and rate limits do not apply.
 */
export const servedReplies = Effect.fnUntraced(function* (file: string, host: string, faults: ReadonlyArray<string>) {
  if (!isLoopback(host)) {
    return yield* new UsageError(
      `With --replies, servers can only listen on a loopback address, not on ${host}: spoofed requests could direct the replies at a victim. Use --bind 127.0.0.1.`
    )
  }
  if (faults.length > 0) {
    return yield* new UsageError(
      `--replies and --${faults[0]!.split("=", 1)[0]} cannot be combined, because faults do not apply to the bytes of a file. Remove one of these flags.`
    )
  }
  const bytes = yield* readFile(file)
  const replies = yield* Effect.mapError(
    Effect.fromResult(parseReplies(bytes)),
    ({ message }) =>
      new UsageError(`Cannot serve the replies in ${displayFileName(file)}: ${message.replace(/\.$/, "")}.`)
  )
  return { intercept: givenReplies(replies), kinds: replies.map(({ request }) => request) }
})
