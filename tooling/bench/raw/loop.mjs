// A minimal scan in JavaScript over the sockets of a runtime. It stores the state of each server in a map. Its timeout is fixed, it has no
// rate limit, and it does not check whether replies are valid. By default, it reads only the headers of replies. Its speed then shows how
// fast a scan with these sockets can be. With `--decode 1`, hand-written code decodes the complete replies. The speed then shows how fast a
// scan that returns decoded replies can be.
import process from "node:process"
import { run } from "../contract.mjs"
import * as byHand from "../decode/hand.mjs"
import { open } from "./sockets.mjs"

const DECODES = process.argv.includes("--decode")

const INFO = Uint8Array.from([255, 255, 255, 255, ...new TextEncoder().encode("TSource Engine Query\0")])
const LOOK_MS = 20

const requestFor = ({ challenge, step }) => {
  if (step === 0) {
    if (challenge === undefined) return INFO
    const packet = new Uint8Array(29)
    packet.set(INFO)
    packet.set(challenge, 25)
    return packet
  }
  return Uint8Array.of(255, 255, 255, 255, step === 1 ? 0x55 : 0x56, ...(challenge ?? [255, 255, 255, 255]))
}

const asBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/**
 * Functions that read a reply, by the kind of query. With `--decode 1`, they read all fields. Otherwise, they read only the beginning of
 * the reply.
 */
const readers = DECODES
  ? {
      info: (bytes) => byHand.info(asBuffer(bytes)).name,
      players: (bytes) => byHand.players(asBuffer(bytes)).length
    }
  : {
      info: (bytes) => String.fromCharCode(...bytes.subarray(6, 21)),
      players: (bytes) => bytes[5]
    }

const rulesIn = (bytes, at) => bytes[at] | (bytes[at + 1] << 8)

const states = new Map()
let send
let land
let now = performance.now()

const ask = (state) => {
  state.due = now + state.timeoutMs
  send(requestFor(state), state.port, state.address)
}

const goOn = (state) => {
  if (state.all && state.step < 2) {
    state.step++
    ask(state)
  } else land(state, state)
}

const onMessage = (bytes, address, port) => {
  const state = states.get(`${address}:${port}`)
  if (state === undefined || bytes.length < 9) return
  if (bytes[0] === 0xfe) {
    if (state.step !== 2) return
    // The fragment is copied, because a runtime may reuse the buffer for the next datagram.
    if (DECODES) state.parts.push(Buffer.from(bytes))
    else if (bytes[9] === 0) state.rules = rulesIn(bytes, 17)
    state.fragments |= 1 << bytes[9]
    if (state.fragments !== (1 << bytes[8]) - 1) return
    if (DECODES) state.rules = byHand.rules(state.parts).length
    goOn(state)
  } else if (bytes[4] === 0x41) {
    state.challenge = bytes.slice(5, 9)
    ask(state)
  } else if (bytes[4] === 0x49 && state.step === 0) {
    state.name = readers.info(bytes)
    goOn(state)
  } else if (bytes[4] === 0x44 && state.step === 1) {
    state.players = readers.players(bytes)
    goOn(state)
  } else if (bytes[4] === 0x45 && state.step === 2) {
    state.rules = rulesIn(bytes, 5)
    goOn(state)
  }
}

const scan = async (targets, kind, { attempts, concurrency, timeoutMs }, onResult) => {
  send ??= await open(onMessage)
  let next = 0
  let left = targets.length
  await new Promise((resolve) => {
    const start = () => {
      const target = targets[next++]
      const colon = target.lastIndexOf(":")
      const state = {
        target,
        address: target.slice(0, colon),
        port: Number(target.slice(colon + 1)),
        all: kind === "all",
        timeoutMs,
        step: 0,
        tries: 1,
        fragments: 0,
        due: 0,
        challenge: undefined,
        name: "",
        players: 0,
        rules: 0,
        parts: []
      }
      states.set(target, state)
      ask(state)
    }
    const timer = setInterval(() => {
      now = performance.now()
      for (const state of states.values()) {
        if (state.due > now) continue
        if (state.tries++ < attempts) ask(state)
        else land(state, undefined)
      }
    }, LOOK_MS)
    land = (state, answer) => {
      states.delete(state.target)
      onResult(state.target, answer)
      if (next < targets.length) start()
      if (--left > 0) return
      clearInterval(timer)
      resolve(undefined)
    }
    now = performance.now()
    for (let i = Math.min(concurrency, targets.length); i > 0; i--) start()
  })
}

await run(scan)
