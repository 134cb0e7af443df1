/**
 * Creates new inputs from known inputs. A mutation changes random bytes, changes a field that the declarations describe, or copies a part
 * of another input. In a conversation, a mutation can also add, remove or reorder events.
 */
import { dissect, type DissectedField } from "@sourcewire/protocol"
import { dissectFragment, isSplit } from "@sourcewire/protocol/wire"
import { type Input, countBytes, type Target } from "../Target.ts"
import type { Random } from "./random.ts"

const SPECIAL_BYTES = [0, 1, 0x0a, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xc3, 0xe2, 0xed, 0xf0, 0xfe, 0xff]
const SPECIAL_WORDS = [0, 1, -1, -2, 2 ** 31 - 1, -(2 ** 31), 255, 256, 65_535, 65_536, 1024 * 1024, 10, 4096, 0x425a]

/** Commands, keys and markers of the protocols. Random bytes are unlikely to contain these words. */
const DICTIONARY = [
  "Source Engine Query\0",
  "BZh9",
  "1AY&SY",
  "challenge rcon",
  "rcon ",
  "print\n",
  "log L ",
  "details\0",
  "players\0",
  "rules",
  "infostring",
  "ping",
  "connect0x",
  "L 11/21/2026 - 08:00:00: ",
  "Bad rcon_password.",
  "No challenge for your address.\n",
  "You have been banned from this server.\n",
  "0.0.0.0:0\0",
  "\\gamedir\\cstrike"
].map((word) => Uint8Array.from(word, (c) => c.charCodeAt(0)))
const HEADERS = ["ffffffff", "feffffff"].map((hex) => Uint8Array.from(hex.match(/../g)!, (byte) => Number(`0x${byte}`)))

const replaced = (bytes: Uint8Array, from: number, to: number, by: Uint8Array): Uint8Array => {
  const made = new Uint8Array(bytes.length - (to - from) + by.length)
  made.set(bytes.subarray(0, from))
  made.set(by, from)
  made.set(bytes.subarray(to), from + by.length)
  return made
}

/** A random range of `bytes`. Most ranges are short, and some extend to the end of `bytes`. */
const stretch = (bytes: Uint8Array, random: Random): readonly [from: number, to: number] => {
  const from = random.below(bytes.length + 1)
  const length = random.oneIn(4) ? bytes.length - from : random.below(16)
  return [from, Math.min(bytes.length, from + length)]
}

const word = (random: Random): Uint8Array => {
  const bytes = new Uint8Array(random.pick([1, 2, 4]))
  const value = random.oneIn(3) ? random.below(2 ** 32) : random.pick(SPECIAL_WORDS)
  for (let i = 0; i < bytes.length; i++) bytes[i] = value >> (8 * i)
  return bytes
}

const changeBytes = (bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array => {
  const [from, to] = stretch(bytes, random)
  switch (random.below(9)) {
    case 0:
      return bytes.length === 0 ? bytes : bytes.with(random.below(bytes.length), random.below(256))
    case 1:
      return bytes.length === 0 ? bytes : bytes.with(random.below(bytes.length), random.pick(SPECIAL_BYTES))
    case 2:
      return bytes.slice(0, from)
    case 3:
      return replaced(bytes, from, to, new Uint8Array(0))
    case 4:
      return replaced(bytes, from, from, random.bytes(1 + random.below(8)))
    case 5:
      return replaced(bytes, to, to, bytes.subarray(from, to))
    case 6: {
      const made = word(random)
      return replaced(bytes, from, Math.min(bytes.length, from + made.length), made)
    }
    case 7:
      return replaced(bytes, from, random.oneIn(2) ? from : to, random.pick(DICTIONARY))
    default:
      return replaced(bytes, from, to, other.subarray(...stretch(other, random)))
  }
}

const dissectedFields = (datagram: Uint8Array): ReadonlyArray<DissectedField> => {
  const fields = isSplit(datagram) ? dissectFragment(datagram) : dissect(datagram).fields
  return fields.filter(({ length }) => length > 0)
}

/**
 * Changes a random field in one of these ways:
 *
 * - removes or repeats the field
 * - replaces the field with a special value, or with a field of the same type
 * - copies the field to another position
 * - ends the datagram before or after the field
 */
const changeField = (bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array => {
  const fields = dissectedFields(bytes)
  if (fields.length === 0) return replaced(bytes, 0, 0, random.pick(HEADERS))
  const field = random.pick(fields)
  const end = field.offset + field.length
  const own = bytes.subarray(field.offset, end)
  switch (random.below(6)) {
    case 0:
      return replaced(bytes, field.offset, end, new Uint8Array(0))
    case 1: {
      const copies = new Uint8Array(field.length * (1 + random.below(4)))
      for (let at = 0; at < copies.length; at += field.length) copies.set(own, at)
      return replaced(bytes, end, end, copies)
    }
    case 2: {
      if (field.type === "text") return replaced(bytes, field.offset, end - 1, random.bytes(random.below(24)))
      const value = new Uint8Array(field.length)
      const number = random.pick(SPECIAL_WORDS)
      for (let i = 0; i < Math.min(8, value.length); i++) value[i] = i < 4 ? number >> (8 * i) : number >> 31
      return replaced(bytes, field.offset, end, value)
    }
    case 3: {
      const like = dissectedFields(other).filter(({ type }) => type === field.type)
      if (like.length === 0) return bytes.slice(0, field.offset)
      const taken = random.pick(like)
      return replaced(bytes, field.offset, end, other.subarray(taken.offset, taken.offset + taken.length))
    }
    case 4: {
      const to = random.pick(fields)
      return replaced(bytes, to.offset, to.offset, own)
    }
    default:
      return bytes.slice(0, random.oneIn(2) ? field.offset : end)
  }
}

const changePart = (part: Uint8Array, other: Uint8Array, target: Target, random: Random): Uint8Array => {
  const { steering = 0 } = target
  if (steering > 0 && random.oneIn(4)) {
    return part.length === 0
      ? random.bytes(steering)
      : part.with(random.below(Math.min(steering, part.length)), random.below(256))
  }
  const bytes = part.subarray(steering)
  const from = other.subarray(steering)
  const change = random.oneIn(3) ? changeField : changeBytes
  return replaced(part, Math.min(steering, part.length), part.length, change(bytes, from, random))
}

const changeEvents = (input: Input, other: Input, random: Random): Input => {
  const at = random.below(input.length)
  const to = Math.min(input.length, at + 1 + random.below(4))
  const made = [...input]
  switch (random.below(5)) {
    case 0:
      return input.length > 1 ? made.toSpliced(at, to - at) : made
    case 1:
      return made.toSpliced(to, 0, ...input.slice(at, to))
    case 2:
      return made.toSpliced(at, 0, ...other.slice(random.below(other.length)).slice(0, 1 + random.below(4)))
    case 3:
      return [...input.slice(0, at), ...other.slice(random.below(other.length))]
    default: {
      const second = random.below(input.length)
      ;[made[at], made[second]] = [made[second]!, made[at]!]
      return made
    }
  }
}

/** Makes one to four changes to `input`. Some changes copy parts of `other`. */
export const mutate = (input: Input, other: Input, target: Target, random: Random): Input => {
  let made = input
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    if (made.length === 0) break
    if (target.events === true && random.oneIn(3)) made = changeEvents(made, other, random)
    else {
      const at = random.below(made.length)
      made = made.with(at, changePart(made[at]!, random.pick(other), target, random))
    }
  }
  return made.length > 0 && countBytes(made) <= target.maxBytes ? made : input
}
