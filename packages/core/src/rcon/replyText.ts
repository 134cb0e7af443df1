/**
 * Decodes the text of a reply that arrives in parts. A server splits its reply after a number of bytes, which can be in the middle of a
 * character. Therefore a character may begin in one part and end in the next part.
 */
import { concatBytes } from "@sourcewire/inside/bytes"
import type { Encoding } from "@sourcewire/protocol"
import { decodeText } from "@sourcewire/protocol/wire"

/** Number of bytes of an incomplete UTF-8 sequence at the end of `bytes`: 0 to 3. */
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

/**
 * Converts bytes to a text with one character per byte. With the encoding `latin1`, the protocol's codecs convert this text back to the
 * same bytes.
 */
export const toLatin1 = (bytes: Uint8Array): string => decodeText(bytes, 0, bytes.length, "latin1").text

/**
 * Decodes the parts of a reply as they arrive. The returned texts together are the complete reply. With `auto`, the encoding is detected
 * for each part.
 */
export class ReplyText {
  private held: Uint8Array = new Uint8Array(0)
  private readonly encoding: Encoding

  constructor(encoding: Encoding) {
    this.encoding = encoding
  }

  /** Returns the decoded text. The bytes of an incomplete character are stored until the next part arrives. */
  push(part: Uint8Array): string {
    const bytes = this.held.length === 0 ? part : concatBytes([this.held, part])
    const multiByte = this.encoding === "utf-8" || this.encoding === "auto"
    const end = bytes.length - (multiByte ? unfinishedBytes(bytes) : 0)
    this.held = bytes.slice(end)
    return decodeText(bytes, 0, end, this.encoding).text
  }

  /** Called at the end of the reply. Returns the text of the bytes that are still stored. */
  end(): string {
    const held = this.held
    this.held = new Uint8Array(0)
    return decodeText(held, 0, held.length, this.encoding).text
  }
}
