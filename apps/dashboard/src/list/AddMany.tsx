/**
 * Adds many servers. The form reads addresses from a text or a file, shows at which addresses a server replies, and adds the selected
 * addresses to a group.
 */
import type { Previewed } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button, ColumnTitles, Form, Submit, TextField } from "@sourcewire/ui/widgets"
import { useEffect, useRef } from "preact/hooks"
import { addMany, errorMessage, preview } from "../requests.ts"
import { labelsIn } from "../labels.ts"
import { isolated, milliseconds, plural } from "../words.ts"
import { addressesIn, inParts, MOST } from "./addresses.ts"

/** Maximum number of addresses in one request: `PREVIEWED` for a preview, and `ADDED` for adding servers. */
const [PREVIEWED, ADDED] = [20, 100]

/** Whether a server replied at the address, and the monitor's list does not contain the address yet. */
const isGood = ({ address, isKnown, message }: Previewed): boolean =>
  address !== undefined && !isKnown && message === undefined

export const AddMany = ({ close }: { readonly close: () => void }) => {
  const text = useSignal("")
  const group = useSignal("")
  const labels = useSignal("")
  const rows = useSignal<ReadonlyArray<Previewed> | undefined>(undefined)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const names = useSignal<ReadonlyMap<string, string>>(new Map())
  const progress = useSignal("")
  const trouble = useSignal<string | undefined>(undefined)
  const controller = useRef(new AbortController())
  useEffect(() => () => controller.current.abort(), [])

  const readFile = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) text.value = await file.text()
  }
  const show = async (): Promise<void> => {
    controller.current.abort()
    controller.current = new AbortController()
    const { signal } = controller.current
    const addresses = addressesIn(text.value)
    trouble.value =
      addresses.length === 0
        ? "Enter at least one address."
        : addresses.length > MOST
          ? `${addresses.length} addresses are too many: up to ${MOST} can be added at a time. For longer lists, use a source in the configuration.`
          : undefined
    if (trouble.value !== undefined) return
    rows.value = []
    chosen.value = new Set()
    try {
      for (const part of inParts(addresses, PREVIEWED)) {
        progress.value = `Querying ${plural(addresses.length, "server")}: ${rows.value.length} done`
        const found = await preview(part, signal)
        rows.value = [...rows.value, ...found]
        chosen.value = new Set([...chosen.value, ...found.filter(isGood).map((row) => row.text)])
      }
      const replies = rows.value.filter(({ message }) => message === undefined).length
      progress.value = `${replies} of ${plural(rows.value.length, "server")} replied.`
    } catch (error) {
      if (!signal.aborted) trouble.value = errorMessage(error)
    }
  }
  const submit = async (): Promise<void> => {
    const wanted = rows.value?.filter((row) => chosen.value.has(row.text)).map((row) => row.text) ?? []
    let count = 0
    const rejected: Array<string> = []
    try {
      for (const part of inParts(wanted, ADDED)) {
        const given = part.flatMap((one) => {
          const name = names.value.get(one)?.trim()
          return name === undefined || name === "" ? [] : [[one, name] as const]
        })
        const result = await addMany({
          addresses: part,
          ...(group.value.trim() === "" ? {} : { group: group.value.trim() }),
          ...(labels.value.trim() === "" ? {} : { labels: labelsIn(labels.value) }),
          ...(given.length === 0 ? {} : { names: Object.fromEntries(given) })
        })
        count += result.added.length
        rejected.push(...result.rejected.map(({ message }) => message))
      }
      progress.value = `Added ${plural(count, "server")}.`
      trouble.value = rejected.length === 0 ? undefined : rejected.join(" ")
      rows.value = undefined
      text.value = ""
      if (rejected.length === 0) close()
    } catch (error) {
      trouble.value = errorMessage(error)
    }
  }
  return (
    <section class="panel add-many" aria-label="Add many servers">
      <Form onSubmit={show}>
        <label>
          Addresses, one per line, or a JSON array
          <textarea
            name="addresses"
            rows={5}
            spellcheck={false}
            placeholder={"192.0.2.10:27015\nplay.example.org:27015\nrust:192.0.2.11"}
            value={text}
            onInput={(event) => void (text.value = event.currentTarget.value)}
          />
        </label>
        <div class="bar">
          <label>
            From a file:{" "}
            <input
              type="file"
              accept=".txt,.csv,.json,text/plain,application/json"
              onChange={(event) => void readFile(event.currentTarget.files?.[0])}
            />
          </label>
          <Submit>Preview</Submit>
          <Button onClick={close}>Close</Button>
          <span role="status" class="quiet">
            {progress.value}
          </span>
        </div>
      </Form>
      <Alert text={trouble.value} />
      {rows.value !== undefined && rows.value.length > 0 && (
        <Form onSubmit={submit}>
          <div class="scroll" tabIndex={0} role="group" aria-label="Preview">
            <table class="preview">
              <ColumnTitles columns={["Add", "Address", "Reply", "Name"]} />
              <tbody>
                {rows.value.map((row) => (
                  <PreviewRow
                    key={row.text}
                    row={row}
                    isChosen={chosen.value.has(row.text)}
                    choose={(isChosen) => {
                      const next = new Set(chosen.value)
                      if (isChosen) next.add(row.text)
                      else next.delete(row.text)
                      chosen.value = next
                    }}
                    rename={(name) => void (names.value = new Map([...names.value, [row.text, name]]))}
                  />
                ))}
              </tbody>
            </table>
          </div>
          <div class="bar">
            <TextField
              isLabelled
              label="Group"
              value={group}
              input={{ name: "group", placeholder: "mine", maxLength: 64 }}
            />
            <TextField
              isLabelled
              label="Labels of the group"
              value={labels}
              input={{ name: "labels", placeholder: "region=eu, tier=1" }}
            />
            <Submit disabled={chosen.value.size === 0}>{`Add ${plural(chosen.value.size, "server")}`}</Submit>
          </div>
        </Form>
      )}
    </section>
  )
}

interface PreviewRowProps {
  readonly row: Previewed
  readonly isChosen: boolean
  readonly choose: (isChosen: boolean) => void
  readonly rename: (name: string) => void
}

const PreviewRow = ({ choose, isChosen, rename, row }: PreviewRowProps) => {
  const { address, isKnown, map = "", maxPlayers, message, name = "", players, rttMs, text } = row
  const canAdd = address !== undefined && !isKnown
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Add ${isolated(text)}`}
          checked={isChosen}
          disabled={!canAdd}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      </td>
      <td>
        <bdi>{address ?? text}</bdi>
      </td>
      <td>
        {isKnown && <span class="quiet">already monitored. </span>}
        {message === undefined ? (
          <>
            <bdi>{name}</bdi>{" "}
            <small class="quiet">
              {players}/{maxPlayers} · <bdi>{map}</bdi> · {milliseconds(rttMs)}
            </small>
          </>
        ) : (
          <span class="wrong">{message}</span>
        )}
      </td>
      <td>
        {canAdd && (
          <input
            aria-label={`Name of ${isolated(text)}`}
            placeholder="the server's own"
            maxLength={100}
            onInput={(event) => rename(event.currentTarget.value)}
          />
        )}
      </td>
    </tr>
  )
}
