/** The verb `master` of the Effect API, with tracing spans. The promise API loads only `Master.ts`. */
import * as Stream from "effect/Stream"
import { Client } from "../client/Client.ts"
import type { AddressInput } from "../client/ClientShape.ts"
import { spanOptions } from "../client/telemetry.ts"
import type { MasterError, MasterOptions } from "./Master.ts"
import { flattenPages, DEFAULT_MASTER_PORT, pagesFrom } from "./Master.ts"
import type { MasterPage } from "./MasterPaging.ts"

/**
 * The list page by page, with a pause of `pageIntervalMs`. The last page has the reason for the end. The next page is requested when the
 * stream is pulled, so that a slow consumer slows down the requests. The list has a span, which contains a span for each page.
 */
export const pages = (server: AddressInput, options?: MasterOptions): Stream.Stream<MasterPage, MasterError, Client> =>
  Stream.unwrap(Client.useSync((client) => pagesFrom(client, server, options))).pipe(
    Stream.withSpan("sourcewire.master", spanOptions("master", server, DEFAULT_MASTER_PORT))
  )

/** The addresses without duplicates, as `192.0.2.1:27015`. */
export const servers = (server: AddressInput, options?: MasterOptions): Stream.Stream<string, MasterError, Client> =>
  flattenPages(pages(server, options))
