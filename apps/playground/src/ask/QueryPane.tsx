/**
 * Asks one server and draws the exchange.
 *
 * @module
 */
import type { Kind } from "../../bridge/Api.ts"
import { Inspector } from "../inspector/Inspector.tsx"
import { go } from "../state/address.ts"
import { takeApart } from "../takeApart/workbench.ts"
import { AddressField } from "./AddressField.tsx"
import { Cards } from "./Cards.tsx"
import { answer, arrows, ask, asking, chosenArrow, failure, inspection, kind, passed, stop } from "./exchange.ts"
import { SequenceDiagram } from "./SequenceDiagram.tsx"

const kinds: Readonly<Record<Kind, string>> = {
  query: "everything",
  info: "info",
  players: "players",
  rules: "rules",
  ping: "ping",
  challenge: "challenge"
}

/** See the module. */
export const QueryPane = () => (
  <div class="pane">
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      <AddressField />
      <label>
        <span class="hidden">What to ask for</span>
        <select value={kind.value} onChange={(event) => void (kind.value = event.currentTarget.value as Kind)}>
          {Object.entries(kinds).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary">
        Ask
      </button>
      {asking.value ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : null}
      {passed.value.length === 0 ? null : (
        <button
          type="button"
          onClick={() => {
            void takeApart(passed.value, `The exchange with ${passed.value[0]?.to ?? "the server"}.`)
            go("take-apart")
          }}
        >
          Take the exchange apart
        </button>
      )}
    </form>
    {failure.value === undefined ? null : (
      <p class="problem" role="alert">
        {failure.value._tag}: {failure.value.message}
      </p>
    )}
    <div class="exchange">
      {arrows.value.length === 0 ? null : (
        <SequenceDiagram
          arrows={arrows.value}
          chosen={chosenArrow.value}
          remote={passed.value[0]?.to ?? ""}
          choose={(index) => {
            inspection.chosen.value = undefined
            inspection.cursor.value = undefined
            chosenArrow.value = index
          }}
        />
      )}
      {answer.value === undefined ? null : <Cards answer={answer.value} />}
    </div>
    {chosenArrow.value < 0 && arrows.value.length > 0 ? <p class="quiet">Choose an arrow to see its bytes.</p> : null}
    <Inspector id="exchange" inspection={inspection} />
  </div>
)
