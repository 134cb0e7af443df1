/** The verb `master` of the Effect API: in a span. The promises load `Master.ts` alone. */
import * as Stream from "effect/Stream"
import { Client } from "../client/Client.ts"
import type { AddressInput } from "../client/ClientShape.ts"
import { spanOptions } from "../client/telemetry.ts"
import type { MasterError, MasterOptions } from "./Master.ts"
import { addressesIn, DEFAULT_MASTER_PORT, pagesFrom } from "./Master.ts"
import type { MasterPage } from "./MasterPaging.ts"

/**
 * The list page by page, at the pace of `pageIntervalMs`; the last page says why it is the last. The next page is asked for when the
 * stream is pulled, so a slow reader slows the asking down. The list is one span, with one in it for each page.
 */
export const pages = (server: AddressInput, options?: MasterOptions): Stream.Stream<MasterPage, MasterError, Client> =>
  Stream.unwrap(Client.useSync((client) => pagesFrom(client, server, options))).pipe(
    Stream.withSpan("sourcewire.master", spanOptions("master", server, DEFAULT_MASTER_PORT))
  )

/** The addresses, each once, as in `192.0.2.1:27015`. */
export const servers = (server: AddressInput, options?: MasterOptions): Stream.Stream<string, MasterError, Client> =>
  addressesIn(pages(server, options))
