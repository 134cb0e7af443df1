/**
 * Computes the rows and the diagnoses of a list of datagrams. The results do not depend on the row that the user selects. The function is
 * pure, so a worker can run it.
 */
import { type Diagnosis, diagnose } from "@sourcewire/diagnosis"
import type { Encoding } from "@sourcewire/protocol"
import { type Row, survey } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"
import { withSeverities } from "./explanation.ts"

export interface ToExplain {
  readonly datagrams: ReadonlyArray<Datagram>
  readonly encoding: Encoding
  /** Addresses and ports at which no program listens, according to ICMP messages in the capture. */
  readonly refused?: ReadonlySet<string> | undefined
}

export interface Explained {
  readonly rows: ReadonlyArray<Row>
  readonly diagnoses: ReadonlyArray<Diagnosis>
}

export const explain = ({ datagrams, encoding, refused }: ToExplain): Explained => {
  const diagnoses = diagnose(datagrams, refused === undefined ? {} : { refused })
  return { rows: withSeverities(survey(datagrams, encoding), diagnoses), diagnoses }
}
