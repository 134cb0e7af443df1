/** Opens a file: a capture, the bytes of a single datagram, or a text that the user could also paste. */
import { hasProtocolHead, plural } from "@sourcewire/capture"
import { readCaptureAside } from "./surveyor.ts"
import { leaveFirstScreen } from "../state/address.ts"
import { beginStep, outcome, paste, rows, show, work } from "./workbench.ts"

/** Maximum size of a file. The page does not open larger files, because it stores several copies of the content in memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

const MAX_TEXT_BYTES = 8 * 1024 * 1024

export const openFile = async (file: File): Promise<void> => {
  if (file.size > MAX_FILE_BYTES) {
    outcome.value = { ok: false, text: `${file.name} is larger than 256 MB.` }
    return
  }
  work.value = `Reading ${file.name}, ${(file.size / 1e6).toFixed(1)} MB …`
  const { bytes, capture } = await read(file).finally(() => (work.value = undefined))
  const isReadable = capture !== undefined || hasProtocolHead(bytes)
  if (rows.value.length > 0) beginStep()
  else if (isReadable) leaveFirstScreen()
  if (capture !== undefined) {
    const { datagrams, leftOut, problem, refused } = capture
    const others = leftOut === 0 ? "" : ` ${plural(leftOut, "other packet")} omitted.`
    const end = problem === undefined ? "" : ` Reading stopped: ${problem}.`
    await show(datagrams, `${file.name}: ${plural(datagrams.length, "datagram")}.${others}${end}`, { refused })
    return
  }
  if (hasProtocolHead(bytes)) return show([{ bytes }], `${file.name}: 1 datagram.`)
  const text = bytes.length > MAX_TEXT_BYTES ? undefined : decodeFile(bytes)
  if (text !== undefined) return paste(text)
  outcome.value = {
    ok: false,
    text: `${file.name} is not a capture file (pcap, pcapng), and not text. Save the capture as pcap or pcapng, or paste its bytes as hex.`
  }
}

/**
 * Decodes the bytes of a text file. If the file begins with the byte order mark of UTF-16LE, as files from PowerShell do, the text is
 * decoded as UTF-16LE. Otherwise, it is decoded as UTF-8. Returns `undefined` if the file is binary.
 */
const decodeFile = (bytes: Uint8Array): string | undefined => {
  const isUtf16 = bytes[0] === 255 && bytes[1] === 254
  const text = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes)
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text
}

const read = async (file: File) => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { bytes, capture: await readCaptureAside(bytes) }
}
