/**
 * Text of a reply that comes in parts. A server cuts its reply at a number of bytes, so a character may stand half in one part
 * and half in the next.
 */
import { concatBytes } from "@sourcewire/inside/bytes"
import type { Encoding } from "@sourcewire/protocol"
import { decodeText } from "@sourcewire/protocol/wire"

/** Bytes of the UTF-8 sequence at the end of `bytes` that is not whole yet: 0 to 3. */
const unfinishedBytes = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? back : 0
  }
  return 0
}

/** Bytes as a text with a character for each, in which the protocol's codecs take and give them unchanged. */
export const toLatin1 = (bytes: Uint8Array): string => decodeText(bytes, 0, bytes.length, "latin1").text

/** Decodes parts as they come; the texts together are the whole reply. With `auto` the encoding is judged part by part. */
export class ReplyText {
  private held: Uint8Array = new Uint8Array(0)
  private readonly encoding: Encoding

  constructor(encoding: Encoding) {
    this.encoding = encoding
  }

  /** The text that is certain now; an unfinished character is held back. */
  push(part: Uint8Array): string {
    const bytes = this.held.length === 0 ? part : concatBytes([this.held, part])
    const multiByte = this.encoding === "utf-8" || this.encoding === "auto"
    const end = bytes.length - (multiByte ? unfinishedBytes(bytes) : 0)
    this.held = bytes.slice(end)
    return decodeText(bytes, 0, end, this.encoding).text
  }

  /** What was held back, now that nothing more comes. */
  end(): string {
    const held = this.held
    this.held = new Uint8Array(0)
    return decodeText(held, 0, held.length, this.encoding).text
  }
}
