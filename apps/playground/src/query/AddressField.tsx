/** The input field for the address of a server. It suggests the addresses of the emulated servers. */
import { TextField } from "@sourcewire/ui/widgets"
import { emulated } from "./emulated.ts"
import { address } from "./exchange.ts"

export const AddressField = () => (
  <TextField
    class="address"
    label="Address"
    value={address}
    input={{ name: "address", list: "emulated", placeholder: "host:port" }}
  >
    <datalist id="emulated">
      {emulated.value.slice(0, 20).map((server) => (
        <option key={server.id} value={server.address}>
          {server.profile}
        </option>
      ))}
    </datalist>
  </TextField>
)
