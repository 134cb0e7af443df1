// Names on standard error each file that is imported.
import { registerHooks } from "node:module"

registerHooks({
  load: (url, context, next) => {
    process.stderr.write(`loaded ${url}\n`)
    return next(url, context)
  }
})
