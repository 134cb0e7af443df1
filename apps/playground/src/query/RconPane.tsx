/** The view of the remote console, in which users send commands to a server and read the replies. */
import { Choice, Coloured, Form, Submit, TextField } from "@sourcewire/ui/widgets"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { AddressField } from "./AddressField.tsx"
import { status } from "../network/networks.ts"
import { ENGINES, engine, entries, history, live, password, run } from "./rconLog.ts"

const consoleLine = (line: string, i: number) => [
  i === 0 ? "" : "\n",
  <Coloured key={i} text={line.replaceAll("\t", "    ").replace(/\r$/, "")} />
]

export const RconPane = () => {
  const command = useSignal("")
  const back = useSignal(0)
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight
  }, [entries.value])
  if (status.value?.rcon !== true) {
    return (
      <p class="pane">
        The console is off. Start the bridge with <code>sourcewire playground --rcon</code>, or use the network in this
        page.
      </p>
    )
  }
  const recall = (step: number): void => {
    back.value = Math.max(0, Math.min(history.value.length, back.value + step))
    command.value = back.value === 0 ? "" : history.value.at(-back.value)!
  }
  return (
    <div class="pane">
      <Form
        class="bar"
        onSubmit={() => {
          void run(command.value)
          command.value = ""
          back.value = 0
        }}
      >
        <AddressField />
        <TextField
          label="Password"
          value={password}
          input={{ type: "password", name: "password", placeholder: "password" }}
        />
        <Choice label="Protocol" value={engine} options={ENGINES} />
        <TextField
          class="command"
          label="Command"
          value={command}
          input={{
            name: "command",
            placeholder: "command",
            onKeyDown: (event) => {
              if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return
              event.preventDefault()
              recall(event.key === "ArrowUp" ? 1 : -1)
            }
          }}
        />
        <Submit disabled={live.running.value}>Run</Submit>
      </Form>
      <div class="console" ref={log} role="log" aria-label="Console" tabIndex={0}>
        {entries.value.length === 0 ? (
          <p class="quiet">RCON has no encryption: the password is sent as plain text.</p>
        ) : null}
        {entries.value.map((entry, i) => (
          <pre key={i} class={entry.kind}>
            {entry.kind === "command" ? `> ${entry.text}` : entry.text.split("\n").flatMap(consoleLine)}
          </pre>
        ))}
      </div>
    </div>
  )
}
