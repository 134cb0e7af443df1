/** A search field in which the user chooses a server by a part of its name or address. */
import type { TargetRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Button } from "@sourcewire/ui/widgets"
import { useEffect } from "preact/hooks"
import { getJson } from "./requests.ts"
import { displayName } from "./words.ts"

/** Milliseconds from the last keystroke to the start of the search. */
const TYPING_MS = 200

interface ServerSearchProps {
  readonly label: string
  readonly placeholder: string
  readonly choose: (row: TargetRow) => void
}

export const ServerSearch = ({ choose, label, placeholder }: ServerSearchProps) => {
  const typed = useSignal("")
  const found = useSignal<ReadonlyArray<TargetRow>>([])
  useEffect(() => {
    const q = typed.value.trim()
    found.value = []
    if (q === "") return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const query = new URLSearchParams({ q, limit: "8" })
      getJson<{ readonly targets: ReadonlyArray<TargetRow> }>(`targets?${query}`, controller.signal).then(
        ({ targets }) => void (found.value = targets),
        // The search shows no error, because the banner of the page reports when the monitor does not reply.
        () => {}
      )
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed.value])
  return (
    <span class="server-filter">
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        value={typed}
        onInput={(event) => void (typed.value = event.currentTarget.value)}
      />
      {found.value.map((row) => (
        <Button
          key={row.id}
          onClick={() => {
            typed.value = ""
            choose(row)
          }}
        >
          <bdi>{displayName(row)}</bdi>
        </Button>
      ))}
    </span>
  )
}
