// Prints the URL of each imported file to standard error. At the end, also prints the names of Node's own modules that the program has
// loaded.
import { registerHooks } from "node:module"

registerHooks({
  load: (url, context, next) => {
    process.stderr.write(`loaded ${url}\n`)
    return next(url, context)
  }
})

process.on("exit", () => process.stderr.write(process.moduleLoadList.map((name) => `${name}\n`).join("")))
