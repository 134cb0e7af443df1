/**
 * Decodes a captured datagram in the page, and shows each field with its bytes. The page sends nothing. Any bundler can build the page from
 * `index.html`.
 *
 * @module
 */
import { dissect, fromHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"

const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E

const input = element<HTMLTextAreaElement>("hex")
const outcome = element<HTMLParagraphElement>("outcome")
const fields = element<HTMLTableElement>("fields")

const show = (): void => {
  fields.replaceChildren()
  const bytes = fromHex(input.value.replace(/\s/g, ""))
  if (bytes === undefined) {
    outcome.textContent = "This is not hex."
    return
  }
  const dissection = dissect(bytes)
  outcome.textContent = Result.match(dissection.result, {
    onSuccess: ({ _tag }) => _tag,
    onFailure: ({ message }) => message
  })
  for (const { doc, length, offset, path, value } of dissection.fields) {
    const row = fields.insertRow()
    // A server can send any text. Therefore texts are inserted as text, never as HTML.
    for (const cell of [`${offset}…${offset + length}`, path, String(value), doc]) row.insertCell().textContent = cell
  }
}

input.addEventListener("input", show)
show()
