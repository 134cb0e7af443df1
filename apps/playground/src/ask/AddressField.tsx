/**
 * Where to ask, with the emulated servers at hand.
 *
 * @module
 */
import { emulated } from "./emulated.ts"
import { address } from "./exchange.ts"

/** See the module. */
export const AddressField = () => (
  <label class="address">
    <span class="hidden">Address</span>
    <input
      name="address"
      list="emulated"
      placeholder="host:port"
      autocomplete="off"
      spellcheck={false}
      value={address.value}
      onInput={(event) => void (address.value = event.currentTarget.value)}
    />
    <datalist id="emulated">
      {emulated.value.slice(0, 20).map((server) => (
        <option key={server.id} value={server.address}>
          {server.profile}
        </option>
      ))}
    </datalist>
  </label>
)
