/**
 * What the program's build puts in the place of `performance.now`, with which Node loads all that measures performance: a millisecond,
 * and a query asks for the time.
 */
const hrtimeMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

const startedMs = /* @__PURE__ */ hrtimeMs() - /* @__PURE__ */ process.uptime() * 1e3

/** Milliseconds since the process started, with fractions. */
export const processTime = (): number => hrtimeMs() - startedMs
