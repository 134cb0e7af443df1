/** Server-sent events, as far as the bridge uses them: the data of each. */

/** The data of each event, in order. Comments and other fields are left out; an event that breaks off is none. */
export async function* sseData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  let data: Array<string> = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ""
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield data.join("\n")
          data = []
        } else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5))
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
