/**
 * The targets of a scan, one after the other: addresses and ranges from the command line, then the lines of files. Nothing is read
 * ahead; a line that is no address becomes a result that says so, since one slip in a hundred thousand lines must not end a scan.
 */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/machines"
import { unaskable } from "@sourcewire/games"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { bytesOf, isBlankOrComment, linesOf } from "../lines.ts"
import { UsageError, orUsageError } from "../exitCode.ts"
import type { ScanSettings } from "./command.ts"

type Ipv4Range = IpRanges.IpRange & { readonly family: 4 }

export interface TargetPlan {
  readonly ranges: ReadonlyArray<Ipv4Range>
  readonly addresses: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly port: number
  readonly shard: Shard | undefined
}

/** So much of a list is read at a time: it outlives collections until its last line has its turn. */
const CHUNK_BYTES = 16_384

const isIpv4 = (range: IpRanges.IpRange): range is Ipv4Range => range.family === 4

const rangeOf = Effect.fnUntraced(function* (text: string, settings: ScanSettings) {
  const range = yield* orUsageError(IpRanges.parse(text))
  if (!isIpv4(range))
    return yield* new UsageError(`${text} is too large to walk through: IPv6 servers have to be named.`)
  const isLocal = IpRanges.LOCAL.some((local) => IpRanges.covers(local, range))
  if (isLocal || (settings.public && settings.rate !== undefined)) return range
  return yield* new UsageError(
    `${text} is not on this computer or in a private network. If you may scan it, say so with --public, and with --rate how many datagrams a second it may get.`
  )
})

/** Checks everything that can be checked before a datagram leaves. */
export const planOf = Effect.fnUntraced(function* (settings: ScanSettings, shard: Shard | undefined) {
  const ranges: Array<Ipv4Range> = []
  const addresses: Array<string> = []
  for (const text of settings.targets) {
    if (text.includes("/")) ranges.push(yield* rangeOf(text, settings))
    else {
      const address = yield* Effect.fromResult(parseAddress(text))
      const why = unaskable(address.host)
      if (why !== undefined) return yield* new UsageError(why.message)
      addresses.push(formatAddress(address))
    }
  }
  if (ranges.length + addresses.length + settings.file.length === 0) {
    return yield* new UsageError(
      "There is nobody to ask. Give addresses, a range such as 192.168.1.0/24, or a list with --file."
    )
  }
  return { ranges, addresses, files: settings.file, port: settings.port, shard } satisfies TargetPlan
})

/** Where Steam shows the servers behind its relays: an address there leads nowhere. */
const RELAYED = Result.getOrThrow(IpRanges.parse("169.254.0.0/16"))

/** The ranges that nothing is sent to: relayed addresses too, unless the command line names a range of them. */
export const excludedFrom = ({ ranges }: TargetPlan, exclude: ReadonlyArray<string>) =>
  ranges.some((range) => IpRanges.covers(RELAYED, range)) ? exclude : [...exclude, RELAYED]

async function* everything(plan: TargetPlan): AsyncGenerator<string> {
  yield* plan.addresses
  for (const range of plan.ranges) {
    for (const address of IpRanges.addressesOf(range)) yield `${address}:${plan.port}`
  }
  for (const file of plan.files) {
    for await (const line of linesOf(bytesOf(file, CHUNK_BYTES))) {
      if (line !== undefined && !isBlankOrComment(line)) yield line.trim()
    }
  }
}

/** The targets of this machine's shard, in an order that is the same every time. */
export async function* targetsOf(plan: TargetPlan): AsyncGenerator<string> {
  for await (const target of everything(plan)) {
    if (plan.shard === undefined || isInShard(target, plan.shard)) yield target
  }
}

/** How many targets there will be, shards aside; `undefined` where only reading tells. */
export const countOf = async (plan: TargetPlan): Promise<number | undefined> => {
  if (plan.files.includes("-")) return undefined
  let count = plan.addresses.length
  for (const range of plan.ranges) count += Number(IpRanges.sizeOf(range))
  for (const file of plan.files) {
    for await (const line of linesOf(bytesOf(file))) if (line === undefined || !isBlankOrComment(line)) count++
  }
  return plan.shard === undefined ? count : Math.round(count / plan.shard.count)
}

/** Part `index` (from 1) of `count`. */
export interface Shard {
  readonly index: number
  readonly count: number
}

export const parseShard = (text: string): Result.Result<Shard, UsageError> => {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text)
  const [index, count] = [Number(match?.[1]), Number(match?.[2])]
  return index >= 1 && index <= count
    ? Result.succeed({ index, count })
    : Result.fail(new UsageError(`--shard wants I/N, as in 1/4 for the first of four, not ${text}`))
}

/** FNV-1a, with a last mixing so that neighbouring addresses do not fall into neighbouring parts. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Whether a target is of this part; with and without its default port it is the same target. */
export const isInShard = (target: string, shard: Shard): boolean => {
  const address = parseAddress(target)
  const text = Result.isSuccess(address) ? formatAddress(address.success) : target
  return hashOf(text) % shard.count === shard.index - 1
}
