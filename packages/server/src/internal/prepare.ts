/**
 * Replies made ready: encoded, compressed and cut once, and again only when the profile's value is another object. Answering
 * a query then costs no more than writing a fresh id into copied fragments.
 *
 * @module
 */
import { encode, splitDatagram, type Encoding, type EncodeError, type Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { current, type Live, type Oversize } from "../Profile.ts"

/** Compresses a whole reply into a bzip2 stream. */
export type Compress = (reply: Uint8Array) => Uint8Array

/** A reply as datagrams. Fragments are templates: their id is still to be written. */
export interface Packed {
  readonly datagrams: ReadonlyArray<Uint8Array>
  readonly fragments: boolean
  readonly compressed: boolean
}

const ID_AT = 4

/** Nothing to send. */
export const NOTHING: ReadonlyArray<Uint8Array> = []

/** The datagrams of a whole reply under a profile's rule for large ones. */
export const pack = (reply: Uint8Array, oversize: Oversize, compress: Compress | undefined): Packed => {
  const whole = (bytes: Uint8Array): Packed => ({ datagrams: [bytes], fragments: false, compressed: false })
  if (reply.length <= oversize.maxBytes || oversize.how === "whole") return whole(reply)
  if (oversize.how === "cut") return whole(reply.slice(0, oversize.maxBytes))
  const layout = oversize.layout ?? "source"
  const bzip2 = oversize.bzip2 === true && layout !== "goldsource" ? compress?.(reply) : undefined
  const datagrams = splitDatagram(reply, {
    layout,
    id: 0,
    maxBytes: oversize.maxBytes,
    ...(bzip2 === undefined ? {} : { compressed: bzip2 })
  })
  return { datagrams, fragments: true, compressed: bzip2 !== undefined }
}

/** Copies of fragments under one id. The top bit of a Source id says that the reply is compressed, so it is not the id's own. */
export const stamp = (packed: Packed, id: number): ReadonlyArray<Uint8Array> => {
  const stamped = packed.compressed ? id | 0x80000000 : id & 0x7fffffff
  return packed.datagrams.map((template) => {
    const fragment = template.slice()
    new DataView(fragment.buffer).setInt32(ID_AT, stamped, true)
    return fragment
  })
}

/** How replies are made ready. */
export interface Preparation {
  readonly oversize: Oversize
  readonly encoding: Encoding | undefined
  readonly compress: Compress | undefined
  /** The id of the next split reply. */
  readonly nextId: () => number
  /** Told of a value that has no bytes; the query then gets no answer. */
  readonly onError: (error: EncodeError) => void
}

/** One reply of a profile. */
export class Prepared {
  readonly #live: Live<Message | undefined>
  readonly #how: Preparation
  #value: Message | undefined
  #packed: Packed | undefined

  constructor(live: Live<Message | undefined>, how: Preparation) {
    this.#live = live
    this.#how = how
  }

  /** The datagrams to send now; none when the profile has no such reply at the moment. They must not be changed. */
  datagrams(): ReadonlyArray<Uint8Array> {
    const value = current(this.#live)
    if (value !== this.#value) {
      this.#value = value
      this.#packed = value === undefined ? undefined : this.#pack(value)
    }
    const packed = this.#packed
    if (packed === undefined) return NOTHING
    return packed.fragments ? stamp(packed, this.#how.nextId()) : packed.datagrams
  }

  #pack(value: Message): Packed | undefined {
    const { encoding, oversize, compress, onError } = this.#how
    const encoded = encode(value, encoding === undefined ? {} : { encoding })
    if (Result.isSuccess(encoded)) return pack(encoded.success, oversize, compress)
    onError(encoded.failure)
    return undefined
  }
}
