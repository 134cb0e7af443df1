/** Where bytes come in: a field to paste into, and a button for files. */
import { Button, Select } from "@sourcewire/ui/widgets"
import { ENCODINGS } from "@sourcewire/protocol/wire"
import { Undo } from "../state/Undo.tsx"
import { openFile } from "./files.ts"
import { chooseEncoding, clearAll, encoding, outcome, paste, pasted, rows, stale } from "./workbench.ts"

export const PasteBox = () => (
  <section class="paste" aria-label="Input">
    <label class="hidden" for="bytes">
      Bytes to decode
    </label>
    <textarea
      id="bytes"
      spellcheck={false}
      autocomplete="off"
      autocapitalize="off"
      rows={rows.value.length === 0 ? 5 : 2}
      placeholder="Paste bytes: hex, xxd, tcpdump -X, Wireshark, C, Python, base64 …"
      value={pasted.value}
      onInput={(event) => void paste(event.currentTarget.value)}
    />
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
        {stale.value ? " What is below belongs to the input before." : ""}
      </output>
    </div>
  </section>
)
