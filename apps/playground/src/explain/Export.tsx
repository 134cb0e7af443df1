/** A menu that exports the rows that the page shows. The code of the export formats is loaded at the first export. */
import { Alert, Button, CopyButton } from "@sourcewire/ui/widgets"
import { useRef } from "preact/hooks"
import { useSignal } from "@preact/signals"
import type { Shown } from "./exports.ts"
import { save } from "./save.ts"

interface ExportProps {
  readonly shown: () => Shown
  /** Creates a link to the page with the exported rows. */
  readonly link: () => Promise<string | undefined>
}

export const Export = ({ link, shown }: ExportProps) => {
  const complaint = useSignal<string | undefined>(undefined)
  const menu = useRef<HTMLDetailsElement>(null)
  const done = (): void => void (menu.current!.open = false)
  const savePcapng = async () => {
    const { toPcapng } = await import("./exports.ts")
    save("sourcewire.pcapng", [...toPcapng(shown())], "application/x-pcapng")
    done()
  }
  const saveJson = async () => {
    const { toJsonLines } = await import("./exports.ts")
    save("sourcewire.jsonl", [toJsonLines(shown())], "application/jsonl")
    done()
  }
  const saveReplies = async () => {
    const { toReplies } = await import("./exports.ts")
    const { problem, text } = toReplies(shown())
    complaint.value = problem
    if (text === undefined) return
    save("replies.json", [text], "application/json")
    done()
  }
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        done()
        menu.current!.querySelector("summary")!.focus()
      }}
    >
      <summary class="button">Export</summary>
      <div class="menu-items" role="group" aria-label="Export">
        <Button onClick={() => void savePcapng()} title="For Wireshark and tshark; the findings are comments">
          Save pcapng with comments
        </Button>
        <Button onClick={() => void saveJson()} title="A line for each message and each conversation">
          Save JSON lines
        </Button>
        <Button
          onClick={() => void saveReplies()}
          title="For sourcewire serve --replies replies.json, which sends the same bytes to your own client"
        >
          Save serve profile
        </Button>
        <CopyButton
          label="Copy Markdown"
          title="For an issue thread"
          text={async () => (await import("./exports.ts")).toMarkdown(shown(), await link())}
        />
        <Alert text={complaint.value} />
      </div>
    </details>
  )
}
