/** Starts emulated servers with the faults that the user has selected. */
import { Alert, Button, Checkbox, Choice, CopyButton, Form, Select, Submit, TextField } from "@sourcewire/ui/widgets"
import { useSignal } from "@preact/signals"
import { networkName, status } from "../network/networks.ts"
import { linkTo } from "../state/address.ts"
import { complaint, emulated, scenario, start, stop } from "./emulated.ts"
import { queryServer } from "./exchange.ts"
import { type FaultValues, PRESETS, groupFaults, findPreset, listSwitches } from "./presets.ts"

const hints: Readonly<Record<string, string>> = {
  chance: "0 to 1",
  count: "count",
  milliseconds: "ms",
  bytes: "bytes"
}

const MAX_SHOWN = 50

export const ServersPane = () => {
  const profile = useSignal("css")
  const count = useSignal("1")
  const faults = useSignal<FaultValues>({})
  const offered = status.value
  if (offered === undefined) return null
  if (!offered.emulate) {
    return (
      <p class="pane">
        This bridge emulates no servers, because other hosts can reach it. Use the network in this page.
      </p>
    )
  }
  const set = (name: string, value: string | undefined): void => {
    const { [name]: _, ...rest } = faults.value
    faults.value = value === undefined || value === "" ? rest : { ...rest, [name]: value }
  }
  const startServers = () =>
    start({ profile: profile.value, faults: listSwitches(faults.value), count: Number(count.value) || 1 })
  const startAndQuery = async (): Promise<void> => {
    const started = await startServers()
    if (started !== undefined) queryServer(started.address)
  }
  return (
    <div class="pane emulate">
      <Form onSubmit={startAndQuery}>
        <div class="bar">
          <Choice isLabelled label="Game" value={profile} options={offered.profiles.map(({ name }) => name)} />
          <label class="preset">
            Faults{" "}
            <Select
              value={findPreset(faults.value)}
              options={Object.keys(PRESETS)}
              choose={(title) => void (faults.value = PRESETS[title] ?? {})}
            >
              <option value="">none</option>
              {findPreset(faults.value) === "own" ? <option value="own">as below</option> : null}
            </Select>
          </label>
          <TextField isLabelled label="How many" value={count} input={{ class: "short", inputMode: "numeric" }} />
          <Submit>Start and query</Submit>
          <Button onClick={() => void startServers()}>Start</Button>
          <Button aria-disabled={emulated.value.length === 0} onClick={() => void stop()}>
            Stop all
          </Button>
        </div>
        <p class="quiet">{offered.profiles.find(({ name }) => name === profile.value)?.description}</p>
        {offered.emulatedPassword === undefined ? null : (
          <p class="quiet">
            Each server has a console. The password is <code>{offered.emulatedPassword}</code>.
          </p>
        )}
        <div class="fault-groups">
          {groupFaults(offered.faults).map(([title, members]) => (
            <fieldset key={title} class="faults">
              <legend>{title}</legend>
              {members.map(({ description, name, takes }) => (
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
          ))}
        </div>
      </Form>
      <Alert text={complaint.value} />
      <div class="bar">
        <h2>Running servers</h2>
        {networkName.value === "page" && emulated.value.length > 0 ? (
          <CopyButton
            label="Copy link to these servers"
            title="The link contains the profiles, faults and seeds"
            text={async () => linkTo("query", { a: emulated.value.at(-1)!.address, ...(await scenario()) })}
          />
        ) : null}
      </div>
      <ul class="running" aria-label="Running servers">
        {emulated.value.slice(0, MAX_SHOWN).map((server) => (
          <li key={server.id}>
            <code>{server.address}</code> <span>{server.profile}</span>{" "}
            <span class="quiet">
              {[...server.faults, ...(server.serves ?? []).map((kind) => `your bytes for ${kind}`)].join(", ")}
            </span>
            <Button onClick={() => queryServer(server.address)}>Query</Button>
            <Button onClick={() => void stop(server.id)}>Stop</Button>
          </li>
        ))}
      </ul>
      {emulated.value.length > MAX_SHOWN ? <p class="quiet">… and {emulated.value.length - MAX_SHOWN} more.</p> : null}
    </div>
  )
}
