/** The input field of the first screen. */
import { Button, Select } from "@sourcewire/ui/widgets"
import { ENCODINGS } from "@sourcewire/protocol/wire"
import { address, queryServer } from "../query/exchange.ts"
import * as listing from "../query/listing.ts"
import { go } from "../state/address.ts"
import { Undo } from "../state/Undo.tsx"
import { openFile } from "./files.ts"
import { addresses, chooseEncoding, clearAll, encoding, outcome, paste, pasted, rows, stale } from "./workbench.ts"

const PLACEHOLDER =
  "Paste bytes (hex, base64, xxd, tcpdump -X, Wireshark, C, Python …), drop a file, or type the address of a server"

/** Opens the view Query if the input is a single address, and the view Browser if the input consists of several addresses. */
const queryAddresses = (): void => {
  const [first, ...others] = addresses.value
  if (first === undefined) return
  if (others.length === 0) return queryServer(first)
  listing.addresses.value = addresses.value.join("\n")
  go("browser")
  void listing.list()
}

/** One text field for bytes and addresses, and a button that opens a file. */
export const PasteBox = () => (
  <section class="paste" aria-label="Input">
    <label class="hidden" for="bytes">
      Bytes, or addresses of servers
    </label>
    <textarea
      id="bytes"
      spellcheck={false}
      autocomplete="off"
      autocapitalize="off"
      rows={rows.value.length === 0 ? 5 : 2}
      placeholder={PLACEHOLDER}
      value={pasted.value}
      onInput={(event) => void paste(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || addresses.value.length === 0) return
        event.preventDefault()
        queryAddresses()
      }}
    />
    {addresses.value.length === 0 ? null : (
      <p class="offer">
        <Button class="primary" onClick={queryAddresses}>
          {addresses.value.length === 1 ? `Query ${addresses.value[0]}` : `Query ${addresses.value.length} servers`}
        </Button>
        {addresses.value.length > 1 ? null : (
          <Button
            onClick={() => {
              address.value = addresses.value[0]!
              go("watch")
            }}
          >
            Watch it
          </Button>
        )}
        <span class="quiet">Enter queries.</span>
      </p>
    )}
    <div class="paste-foot">
      <label class="button">
        Open file
        <input
          class="hidden"
          type="file"
          accept=".pcap,.pcapng,.cap,.txt,.bin,.hex"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) void openFile(file)
            event.currentTarget.value = ""
          }}
        />
      </label>
      <Button onClick={() => (pasted.value !== "" || rows.value.length > 0) && clearAll()}>Clear</Button>
      <Undo />
      <label>
        <span class="quiet">Text encoding</span>{" "}
        <Select value={encoding.value} options={ENCODINGS} choose={chooseEncoding} />
      </label>
      <output class={outcome.value.ok ? "quiet" : "wrong"} for="bytes">
        {outcome.value.text}
        {stale.value ? " The data below belongs to the previous input." : ""}
      </output>
    </div>
  </section>
)
