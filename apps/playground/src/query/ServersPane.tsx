/** Starts emulated servers, with what is to go wrong. */
import { Alert, Button, Checkbox, Choice, Form, Select, Submit, TextField } from "@sourcewire/ui/widgets"
import { useSignal } from "@preact/signals"
import { status } from "./bridge.ts"
import { complaint, emulated, start, stop } from "./emulated.ts"
import { type FaultValues, PRESETS, presetOf } from "./presets.ts"
import { askServer } from "./exchange.ts"

const hints: Readonly<Record<string, string>> = {
  chance: "0 to 1",
  count: "count",
  milliseconds: "ms",
  bytes: "bytes"
}

export const ServersPane = () => {
  const profile = useSignal("css")
  const count = useSignal("1")
  const faults = useSignal<FaultValues>({})
  const offered = status.value
  if (offered === undefined) return null
  const set = (name: string, value: string | undefined): void => {
    const { [name]: _, ...rest } = faults.value
    faults.value = value === undefined || value === "" ? rest : { ...rest, [name]: value }
  }
  const switches = Object.entries(faults.value).map(([name, value]) => (value === "on" ? name : `${name}=${value}`))
  return (
    <div class="pane emulate">
      <Form onSubmit={() => start(profile.value, switches, Number(count.value) || 1)}>
        <div class="bar">
          <Choice isLabelled label="Game" value={profile} options={offered.profiles.map(({ name }) => name)} />
          <TextField isLabelled label="How many" value={count} input={{ class: "short", inputMode: "numeric" }} />
          <Submit>Start</Submit>
          <Button disabled={emulated.value.length === 0} onClick={() => void stop()}>
            Stop all
          </Button>
        </div>
        <p class="quiet">{offered.profiles.find(({ name }) => name === profile.value)?.description}</p>
        {offered.emulatedPassword === undefined ? null : (
          <p class="quiet">
            Each has a console; its password is <code>{offered.emulatedPassword}</code>.
          </p>
        )}
        <fieldset class="faults">
          <legend>What goes wrong</legend>
          <label class="preset">
            Preset{" "}
            <Select
              value={presetOf(faults.value)}
              options={Object.keys(PRESETS)}
              choose={(title) => void (faults.value = PRESETS[title] ?? {})}
            >
              <option value="">nothing</option>
              {presetOf(faults.value) === "own" ? <option value="own">as below</option> : null}
            </Select>
          </label>
          {offered.faults.map(({ description, name, takes }) => (
            <label key={name}>
              {takes === "nothing" ? (
                <Checkbox
                  checked={faults.value[name] === "on"}
                  set={(checked) => set(name, checked ? "on" : undefined)}
                />
              ) : (
                <input
                  class="short"
                  inputMode="decimal"
                  placeholder={hints[takes]}
                  value={faults.value[name] ?? ""}
                  onInput={(event) => set(name, event.currentTarget.value.trim())}
                />
              )}
              <span>
                <code>{name}</code> <span class="quiet">{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Form>
      <Alert text={complaint.value} />
      <ul class="running" aria-label="Running servers">
        {emulated.value.slice(0, 50).map((server) => (
          <li key={server.id}>
            <code>{server.address}</code> <span>{server.profile}</span>{" "}
            <span class="quiet">{server.faults.join(", ")}</span>
            <Button onClick={() => askServer(server.address)}>Query</Button>
            <Button onClick={() => void stop(server.id)}>Stop</Button>
          </li>
        ))}
      </ul>
      {emulated.value.length > 50 ? <p class="quiet">… and {emulated.value.length - 50} more.</p> : null}
    </div>
  )
}
