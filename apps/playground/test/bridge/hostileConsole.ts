/** A Source RCON server that accepts any password, and then sends the text that a test chooses. */
import { createServer, type AddressInfo, type Socket } from "node:net"

/**
 * A function that handles the first command. `say` sends text as a part of the reply, and returns `false` if Node must buffer further text.
 */
export type Behaviour = (say: (text: string) => boolean, socket: Socket) => void

export interface HostileConsole extends AsyncDisposable {
  readonly address: string
  /** Resolves when the first client has disconnected. */
  readonly left: Promise<void>
}

const packet = (id: number, type: number, text: string): Buffer => {
  const body = Buffer.from(text)
  const bytes = Buffer.alloc(body.length + 14)
  bytes.writeInt32LE(body.length + 10, 0)
  bytes.writeInt32LE(id, 4)
  bytes.writeInt32LE(type, 8)
  body.copy(bytes, 12)
  return bytes
}

const AUTH = 3
const AUTH_RESPONSE = 2

/** Starts the server on a free port of loopback. */
export const startHostileConsole = async (behave: Behaviour): Promise<HostileConsole> => {
  let gone: () => void
  const left = new Promise<void>((resolve) => (gone = resolve))
  const server = createServer((socket) => {
    let rest = Buffer.alloc(0)
    let begun = false
    socket.on("error", () => {})
    socket.on("close", () => gone())
    socket.on("data", (data: Buffer) => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= 4 && rest.length >= rest.readInt32LE(0) + 4) {
        const [id, type] = [rest.readInt32LE(4), rest.readInt32LE(8)]
        rest = rest.subarray(rest.readInt32LE(0) + 4)
        if (type === AUTH) socket.write(Buffer.concat([packet(id, 0, ""), packet(id, AUTH_RESPONSE, "")]))
        else if (!begun) {
          begun = true
          behave((text) => !socket.destroyed && socket.write(packet(id, 0, text)), socket)
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  return { address: `127.0.0.1:${port}`, left, [Symbol.asyncDispose]: close }
}
