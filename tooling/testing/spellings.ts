/** One reply in every text format that users paste. Unit tests and the tests in a real browser use the same texts. */
/** The S2A_INFO_SRC message of document 001. */
export const HEX =
  "ffffffff490267616d653278732e636f6d20436f756e7465722d537472696b6520536f757263652023310064655f647573740063737472696b6500436f756e7465722d537472696b653a20536f7572636500f000051004646c0000312e302e302e323200"

const fromHex = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, "hex"))

const bytes = fromHex(HEX)
const pairs = HEX.match(/../g)!

const printable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f
const character = (byte: number): string => (printable(byte) ? String.fromCharCode(byte) : ".")

/** Formats each group of sixteen bytes as one line. */
const rows = (each: (offset: number, row: Uint8Array) => string, of = bytes): string =>
  Array.from({ length: Math.ceil(of.length / 16) }, (_, i) => each(i * 16, of.subarray(i * 16, (i + 1) * 16))).join(
    "\n"
  )

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")
const words = (row: Uint8Array): string =>
  [...row]
    .map((byte, i) => hex(byte, 2) + (i % 2 === 1 ? " " : ""))
    .join("")
    .trimEnd()
const text = (row: Uint8Array): string => [...row].map(character).join("")
const spaced = (row: Uint8Array): string => [...row].map((byte) => hex(byte, 2)).join(" ")

const escaped = (quote: string): string =>
  [...bytes]
    .map((byte) =>
      printable(byte) && character(byte) !== quote && byte !== 0x5c ? character(byte) : `\\x${hex(byte, 2)}`
    )
    .join("")

/** The IPv4 packet of the reply, with IP and UDP headers, as `tcpdump -X` shows it. */
const packet = Uint8Array.from([
  ...fromHex(`4500${hex(28 + bytes.length, 4)}00010000401100007f0000017f000001`),
  ...fromHex(`69879c40${hex(8 + bytes.length, 4)}0000`),
  ...bytes
])

const tcpdump = rows((offset, row) => `\t0x${hex(offset, 4)}:  ${words(row).padEnd(39)}  ${text(row)}`, packet)

/** The same reply in every format. `spelling` is the name that the page shows for the format. */
export const spellings: ReadonlyArray<{ readonly name: string; readonly spelling: string; readonly text: string }> = [
  { name: "plain hex", spelling: "hex", text: HEX },
  { name: "spaced hex", spelling: "hex", text: pairs.join(" ") },
  { name: "colons between bytes", spelling: "hex", text: pairs.join(":") },
  {
    name: "upper case, wrapped",
    spelling: "hex",
    text: HEX.toUpperCase()
      .match(/.{1,60}/g)!
      .join("\n")
  },
  { name: "a list of 0x", spelling: "0x list", text: pairs.map((pair) => `0x${pair}`).join(", ") },
  { name: "\\x escapes", spelling: "escaped string", text: pairs.map((pair) => `\\x${pair}`).join("") },
  {
    name: "a C array",
    spelling: "array literal",
    text: `static const unsigned char reply[${bytes.length}] = {\n  ${[...bytes].map((byte) => (printable(byte) && byte !== 0x27 && byte !== 0x5c ? `'${character(byte)}'` : `0x${hex(byte, 2)}`)).join(", ")}\n}; // S2A_INFO`
  },
  { name: "a JavaScript array", spelling: "array literal", text: `Uint8Array.of(${bytes.join(", ")})` },
  { name: "a Python bytes literal", spelling: "Python bytes", text: `data = b'${escaped("'")}'` },
  { name: "base64", spelling: "base64", text: btoa(String.fromCharCode(...bytes)) },
  {
    name: "base64 of URLs",
    spelling: "base64",
    text: btoa(String.fromCharCode(...bytes))
      .replaceAll("/", "_")
      .replaceAll("+", "-")
      .replaceAll("=", "")
  },
  {
    name: "xxd",
    spelling: "xxd dump",
    text: rows((offset, row) => `${hex(offset, 8)}: ${words(row).padEnd(39)}  ${text(row)}`)
  },
  {
    name: "hexdump -C",
    spelling: "hexdump -C",
    text: `${rows((offset, row) => `${hex(offset, 8)}  ${spaced(row.subarray(0, 8)).padEnd(23)}  ${spaced(row.subarray(8)).padEnd(23)}  |${text(row)}|`)}\n${hex(bytes.length, 8)}`
  },
  {
    name: "tcpdump -X",
    spelling: "tcpdump -X",
    text: `12:00:00.000001 IP 127.0.0.1.27015 > 127.0.0.1.40000: UDP, length ${bytes.length}\n${tcpdump}`
  },
  {
    name: "Wireshark's hex dump",
    spelling: "Wireshark hex dump",
    text: rows((offset, row) => `${hex(offset, 4)}   ${spaced(row).padEnd(48)}  ${text(row)}`)
  },
  {
    name: "Wireshark's hex dump without text",
    spelling: "Wireshark hex dump",
    text: rows((offset, row) => `${hex(offset, 4)}   ${spaced(row)}`)
  },
  {
    name: "Wireshark's escaped string",
    spelling: "escaped string",
    text: rows((_, row) => `"${[...row].map((byte) => `\\x${hex(byte, 2)}`).join("")}"`).replaceAll("\n", " \\\n")
  },
  { name: "hex copied from Wireshark's byte view", spelling: "hex", text: rows((_, row) => spaced(row)) }
]
