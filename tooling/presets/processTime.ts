/**
 * A function that replaces `performance.now` in the program. The first use of `performance` takes a millisecond, because Node then loads
 * all of `perf_hooks`.
 */
const monotonicMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

const startedMs = /* @__PURE__ */ monotonicMs() - /* @__PURE__ */ process.uptime() * 1e3

/** Milliseconds since the process started, with fractions. */
export const processTime = (): number => monotonicMs() - startedMs
