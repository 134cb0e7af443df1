/**
 * Decodes a captured datagram in the page, and shows each field with its bytes. The page sends nothing. Any bundler can build it from
 * `index.html`.
 *
 * @module
 */
import { dissect, fromHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"

const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E

const input = element<HTMLTextAreaElement>("hex")
const verdict = element<HTMLParagraphElement>("verdict")
const fields = element<HTMLTableElement>("fields")

const show = (): void => {
  fields.replaceChildren()
  const bytes = fromHex(input.value.replace(/\s/g, ""))
  if (bytes === undefined) {
    verdict.textContent = "This is not hex."
    return
  }
  const dissection = dissect(bytes)
  verdict.textContent = Result.match(dissection.result, {
    onSuccess: ({ _tag }) => _tag,
    onFailure: ({ message }) => message
  })
  for (const { doc, length, offset, path, value } of dissection.fields) {
    const row = fields.insertRow()
    // textContent, never HTML: any server can send any name.
    for (const cell of [`${offset}…${offset + length}`, path, String(value), doc]) row.insertCell().textContent = cell
  }
}

input.addEventListener("input", show)
show()
