// An experiment: the raw loop over `sendmmsg` and `recvmmsg` of Linux's C library, called without a compiled add-on. Its figures and what
// follows from them are in docs/adr/0006-batched-system-calls.md. Runs under Bun (bun:ffi), Deno (Deno.dlopen) and Node 26 with
// `--experimental-ffi` (node:ffi); x86-64 and aarch64, INFO only. Command line and output as in contract.mjs.
import process from "node:process"
import { run } from "../contract.mjs"
import { libc } from "./libc.mjs"

const AF_INET = 2
const SOCK_DGRAM_NONBLOCK = 2 | 0o4000
const SOL_SOCKET = 1
const SO_RCVBUF = 8
const MSG_DONTWAIT = 0x40
const BATCH = 256
const HEADER = 64
const BUFFER = 2048

const { bind, pointerOf, recvmmsg, runtime, sendmmsg, setsockopt, socket, version } = await libc()

/** An array of `mmsghdr`, each with one buffer and one address, for one of the two calls. */
const batchOf = (bufferBytes) => {
  const batch = {
    headers: new Uint8Array(BATCH * HEADER),
    vectors: new Uint8Array(BATCH * 16),
    addresses: new Uint8Array(BATCH * 16),
    bytes: new Uint8Array(BATCH * bufferBytes)
  }
  const headers = new DataView(batch.headers.buffer)
  const lengths = new DataView(batch.vectors.buffer)
  const ends = new DataView(batch.addresses.buffer)
  const at = (array, offset) => BigInt(pointerOf(array)) + BigInt(offset)
  for (let i = 0; i < BATCH; i++) {
    headers.setBigUint64(i * HEADER, at(batch.addresses, i * 16), true)
    headers.setUint32(i * HEADER + 8, 16, true)
    headers.setBigUint64(i * HEADER + 16, at(batch.vectors, i * 16), true)
    headers.setBigUint64(i * HEADER + 24, 1n, true)
    lengths.setBigUint64(i * 16, at(batch.bytes, i * bufferBytes), true)
    lengths.setBigUint64(i * 16 + 8, BigInt(bufferBytes), true)
    ends.setUint16(i * 16, AF_INET, true)
  }
  return { ...batch, lengths, ends }
}

const open = () => {
  const fd = socket(AF_INET, SOCK_DGRAM_NONBLOCK, 0)
  const size = new Uint8Array(Int32Array.of(4 << 20).buffer)
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, size, 4)
  const local = Uint8Array.of(AF_INET, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
  if (fd < 0 || bind(fd, local, 16) !== 0) throw new Error("no socket")
  return fd
}

const INFO = Uint8Array.from([255, 255, 255, 255, ...new TextEncoder().encode("TSource Engine Query\0")])
const LOOK_MS = 20

let fd
const incoming = batchOf(BUFFER)
const outgoing = batchOf(64)
let waiting = 0

const flush = () => {
  for (let done = 0; done < waiting;) {
    const sent = sendmmsg(fd, outgoing.headers.subarray(done * HEADER), waiting - done, 0)
    if (sent > 0) done += sent
  }
  waiting = 0
}

const ask = (state) => {
  if (waiting === BATCH) flush()
  const at = waiting * 64
  outgoing.bytes.set(INFO, at)
  let length = INFO.length
  if (state.challenge !== undefined) {
    outgoing.bytes.set(state.challenge, at + length)
    length += 4
  }
  // The number is below 2 ** 32, and a BigInt for each costs more than the call.
  outgoing.lengths.setUint32(waiting * 16 + 8, length, true)
  outgoing.ends.setUint16(waiting * 16 + 2, state.port, false)
  outgoing.ends.setUint32(waiting * 16 + 4, state.host, false)
  waiting++
}

const scan = async (targets, _kind, { attempts, concurrency, timeoutMs }, onResult) => {
  fd ??= open()
  const states = new Map()
  let next = 0
  let left = targets.length
  let now = performance.now()
  const start = () => {
    const target = targets[next++]
    const [address, port] = target.split(":")
    const host = address.split(".").reduce((number, part) => number * 256 + Number(part), 0)
    const state = {
      target,
      host,
      port: Number(port),
      key: host * 65_536 + Number(port),
      challenge: undefined,
      tries: 1,
      due: now + timeoutMs
    }
    states.set(state.key, state)
    ask(state)
  }
  const land = (state, result) => {
    states.delete(state.key)
    left--
    onResult(state.target, result)
    if (next < targets.length) start()
  }
  const take = (i) => {
    const at = i * BUFFER
    const bytes = incoming.bytes
    const key = incoming.ends.getUint32(i * 16 + 4, false) * 65_536 + incoming.ends.getUint16(i * 16 + 2, false)
    const state = states.get(key)
    if (state === undefined) return
    if (bytes[at + 4] === 0x41) {
      state.challenge = bytes.slice(at + 5, at + 9)
      ask(state)
    } else if (bytes[at + 4] === 0x49) land(state, { name: String.fromCharCode(...bytes.subarray(at + 6, at + 21)) })
  }
  for (let i = Math.min(concurrency, targets.length); i > 0; i--) start()
  let lookAt = now + LOOK_MS
  for (;;) {
    if (left === 0) return
    flush()
    const count = recvmmsg(fd, incoming.headers, BATCH, MSG_DONTWAIT, null)
    for (let i = 0; i < count; i++) take(i)
    now = performance.now()
    if (now >= lookAt) {
      lookAt = now + LOOK_MS
      for (const state of states.values()) {
        if (state.due > now) continue
        state.due = now + timeoutMs
        if (state.tries++ < attempts) ask(state)
        else land(state, new Error("timeout"))
      }
    }
    // No runtime tells when a foreign descriptor is readable: all that is left is to look again and again.
    if (count <= 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

await run({ client: `sendmmsg on ${runtime}`, version, scan })
process.exit(0)
