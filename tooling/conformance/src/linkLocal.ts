/**
 * Queries servers by their link-local addresses with a client and with a scan, and prints the results.
 *
 *     linkLocal <address>...
 */
import { loadTransport } from "./transport.ts"

const main = async (): Promise<void> => {
  const { connect, scan } = await loadTransport()
  const addresses = process.argv.slice(2)
  const client = await connect({ timeoutMs: 1000 })
  for (const address of addresses) {
    const outcome = await client.info(address).then(
      ({ name }) => name,
      (error: { readonly _tag: string; readonly message: string }) => `${error._tag}: ${error.message}`
    )
    console.log(outcome)
  }
  await client.close()
  for await (const result of scan(addresses, "info", { timeoutMs: 1000 })) console.log(`scan: ${result._tag}`)
}

void main()
