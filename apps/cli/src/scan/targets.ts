/**
 * Yields the targets of a scan: addresses and ranges from the command line, and then the lines of files. The lines of a file are read only
 * when the scan needs further targets. If a line is invalid, its result is an error, and the scan continues. A single mistake must not end
 * a long scan.
 */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/address"
import { notQueryable } from "@sourcewire/games"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readBytes, parseEntry, splitLines } from "../lines.ts"
import { UsageError, orUsageError } from "../exitCode.ts"
import type { ScanSettings } from "./flags.ts"

type Ipv4Range = IpRanges.IpRange & { readonly family: 4 }

export interface TargetPlan {
  readonly ranges: ReadonlyArray<Ipv4Range>
  readonly addresses: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly port: number
  readonly shard: Shard | undefined
}

/** Number of bytes that are read from a file in one step. These bytes stay in memory until the last target in them is queried. */
const CHUNK_BYTES = 16_384

const isIpv4 = (range: IpRanges.IpRange): range is Ipv4Range => range.family === 4

const parseRange = Effect.fnUntraced(function* (text: string, settings: ScanSettings) {
  const range = yield* orUsageError(IpRanges.parse(text))
  if (!isIpv4(range))
    return yield* new UsageError(
      `${text} is too large to scan: IPv6 ranges are not supported. Give the addresses of the servers.`
    )
  const isLocal = IpRanges.LOCAL.some((local) => IpRanges.covers(local, range))
  if (isLocal || (settings.public && settings.rate !== undefined)) return range
  return yield* new UsageError(
    `${text} is a public range. If you are allowed to scan it, add --public and --rate N, in datagrams per second.`
  )
})

const VIA_STEAM = "To query it through Steam's Web API, use --game ID and --steam-key-file FILE."

/** Validates the targets on the command line, before any datagram is sent. */
export const planTargets = Effect.fnUntraced(function* (settings: ScanSettings, shard: Shard | undefined) {
  const ranges: Array<Ipv4Range> = []
  const addresses: Array<string> = []
  for (const text of settings.targets) {
    if (text.includes("/")) ranges.push(yield* parseRange(text, settings))
    else {
      const address = yield* Effect.fromResult(parseAddress(text, settings.port))
      const why = notQueryable(address.host)
      if (why !== undefined && settings.game === undefined) return yield* new UsageError(`${why.message} ${VIA_STEAM}`)
      addresses.push(formatAddress(address))
    }
  }
  for (const text of settings.exclude) {
    const range = IpRanges.parse(text)
    if (Result.isFailure(range)) return yield* new UsageError(`--exclude: ${range.failure.message}`)
  }
  if (ranges.length + addresses.length + settings.file.length === 0) {
    return yield* new UsageError(
      "No target given. Give addresses, a range such as 192.168.1.0/24, or a list with --file."
    )
  }
  return { ranges, addresses, files: settings.file, port: settings.port, shard } satisfies TargetPlan
})

/** The addresses of servers behind Steam's relays. These servers do not reply to queries over UDP. */
const RELAYED = Result.getOrThrow(IpRanges.parse("169.254.0.0/16"))

/**
 * Returns the ranges that the scan skips. These are the ranges of `--exclude` and the addresses of Steam's relays. If a range on the
 * command line contains only addresses of Steam's relays, the scan skips only the ranges of `--exclude`.
 */
export const excludedFrom = ({ ranges }: TargetPlan, exclude: ReadonlyArray<string>) =>
  ranges.some((range) => IpRanges.covers(RELAYED, range)) ? exclude : [...exclude, RELAYED]

async function* allTargets(plan: TargetPlan): AsyncGenerator<string> {
  yield* plan.addresses
  for (const range of plan.ranges) {
    for (const address of IpRanges.listAddresses(range)) yield `${address}:${plan.port}`
  }
  for (const file of plan.files) {
    for await (const line of splitLines(readBytes(file, CHUNK_BYTES))) {
      const entry = parseEntry(line ?? "")
      if (entry !== "") yield entry
    }
  }
}

/**
 * Yields the targets of the shard, or all targets if `--shard` is absent. The function first yields the addresses of the command line, then
 * the ranges of the command line, and then the lines of the files. Therefore, if the command line and the files do not change, each run
 * yields the targets in the same order.
 */
export async function* streamTargets(plan: TargetPlan): AsyncGenerator<string> {
  for await (const target of allTargets(plan)) {
    if (plan.shard === undefined || isInShard(target, plan.shard)) yield target
  }
}

/**
 * Returns the number of targets. If only a shard is scanned, the number is an estimate. If targets are read from standard input, the number
 * is unknown (`undefined`).
 */
export const countTargets = async (plan: TargetPlan): Promise<number | undefined> => {
  if (plan.files.includes("-")) return undefined
  let count = plan.addresses.length
  for (const range of plan.ranges) count += Number(IpRanges.size(range))
  for (const file of plan.files) {
    for await (const line of splitLines(readBytes(file))) if (parseEntry(line ?? "") !== "") count++
  }
  return plan.shard === undefined ? count : Math.round(count / plan.shard.count)
}

/** A shard of the targets. `index` is the number of the shard, from 1 to `count`. */
export interface Shard {
  readonly index: number
  readonly count: number
}

export const parseShard = (text: string): Result.Result<Shard, UsageError> => {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text)
  const [index, count] = [Number(match?.[1]), Number(match?.[2])]
  return index >= 1 && index <= count
    ? Result.succeed({ index, count })
    : Result.fail(new UsageError(`--shard must be I/N, such as 1/4 for the first of four, not "${text}".`))
}

/** An FNV-1a hash with a final mixing step, which distributes neighbouring addresses over different shards. */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Whether a target is in a shard. `192.0.2.1` and `192.0.2.1:27015` are in the same shard, because 27015 is the default port. */
export const isInShard = (target: string, shard: Shard): boolean => {
  const address = parseAddress(target)
  const text = Result.isSuccess(address) ? formatAddress(address.success) : target
  return hashText(text) % shard.count === shard.index - 1
}
