/** The other end of `surveyor.ts`. */
import { survey } from "@sourcewire/ui/analysis"
import { readCapture } from "./captureFile.ts"
import type { Done, Task } from "./surveyor.ts"

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  const done: Done =
    "file" in data ? { capture: readCapture(data.file) } : { rows: survey(data.datagrams, data.encoding) }
  postMessage(done)
})
