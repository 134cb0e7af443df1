/** Every reader by the name that records use. */
import type { Reader } from "./declaration.ts"
import { arma, dayz } from "./bohemia.ts"
import {
  battalion1944,
  brink,
  codmw3,
  dow,
  garrysmod,
  hll,
  insurgency,
  mordhau,
  quakelive,
  squad,
  unreal3
} from "./shooters.ts"
import {
  ark,
  avorion,
  conanexiles,
  projectzomboid,
  rust,
  sandstorm,
  sdtd,
  soulmask,
  spaceengineers,
  unturned,
  valheim
} from "./survival.ts"
import { nmrih, source, teamfortress2 } from "./valve.ts"

/** Every reader by the name that records use. */
export const readers = {
  ark,
  arma,
  avorion,
  battalion1944,
  brink,
  codmw3,
  conanexiles,
  dayz,
  dow,
  garrysmod,
  hll,
  insurgency,
  mordhau,
  nmrih,
  projectzomboid,
  quakelive,
  rust,
  sandstorm,
  sdtd,
  soulmask,
  source,
  spaceengineers,
  squad,
  teamfortress2,
  unreal3,
  unturned,
  valheim
} satisfies Readonly<Record<string, Reader>>

/** The name of a reader. */
export type ReaderName = keyof typeof readers
