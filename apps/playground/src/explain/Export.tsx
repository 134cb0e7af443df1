/** A menu that exports what is shown. Its code loads on use. */
import { Button, CopyButton } from "@sourcewire/ui/widgets"
import { useRef } from "preact/hooks"
import type { Shown } from "./exports.ts"

interface ExportProps {
  readonly shown: () => Shown
  /** A link to the same in the page. */
  readonly link: () => Promise<string | undefined>
}

const save = (name: string, parts: Array<BlobPart>, type: string): void => {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const anchor = document.createElement("a")
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The download has its own reference by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export const Export = ({ link, shown }: ExportProps) => {
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
        <CopyButton
          label="Copy Markdown"
          title="For an issue thread"
          text={async () => (await import("./exports.ts")).toMarkdown(shown(), await link())}
        />
      </div>
    </details>
  )
}
