/** The function `master` of the Effect API, with tracing spans. The Promise API loads only `Master.ts`, which has no spans. */
import * as Stream from "effect/Stream"
import { Client } from "../client/Client.ts"
import type { AddressInput } from "../client/ClientShape.ts"
import { spanOptions } from "../client/telemetry.ts"
import type { MasterError, MasterOptions } from "./Master.ts"
import { flattenPages, DEFAULT_MASTER_PORT, pagesFrom } from "./Master.ts"
import type { MasterPage } from "./MasterPaging.ts"

/**
 * The pages of a list. Before the request for each page except the first, the stream pauses for `pageIntervalMs`. The last page contains
 * the reason why the list ends. The stream requests a page only when the consumer of the stream needs this page. Therefore a slow consumer
 * slows down the requests. The list has a tracing span, which contains a span for each page.
 */
export const pages = (server: AddressInput, options?: MasterOptions): Stream.Stream<MasterPage, MasterError, Client> =>
  Stream.unwrap(Client.useSync((client) => pagesFrom(client, server, options))).pipe(
    Stream.withSpan("sourcewire.master", spanOptions("master", server, DEFAULT_MASTER_PORT))
  )

/** The addresses of all pages, for example `192.0.2.1:27015`. Each address occurs once. */
export const servers = (server: AddressInput, options?: MasterOptions): Stream.Stream<string, MasterError, Client> =>
  flattenPages(pages(server, options))
