/**
 * Whether what JavaScript hands over is bytes, and reading what may not want to be read. What to say otherwise is in `edge.ts`.
 *
 * @module
 */

/** What reading gives; `undefined` where it throws, as getters and proxies may. */
export const read = <A>(get: () => A): A | undefined => {
  try {
    return get()
  } catch {
    return undefined
  }
}

/**
 * Whether a value is a `Uint8Array`, as a `Buffer` is one; also of another realm, as test runners and frames make them. One whose memory
 * was transferred elsewhere is none any more.
 */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) &&
  (value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]") &&
  ((value as Uint8Array).length > 0 || read(() => new DataView(value.buffer)) !== undefined)
