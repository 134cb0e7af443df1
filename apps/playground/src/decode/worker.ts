/** The worker of `surveyor.ts`. */
import { readCapture } from "./captureFile.ts"
import { explain } from "../explain/explain.ts"
import type { Done, Task } from "./surveyor.ts"

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  const done: Done = "file" in data ? { capture: readCapture(data.file) } : { explained: explain(data) }
  postMessage(done)
})
