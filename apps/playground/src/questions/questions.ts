/** Problems with game servers, as users describe them, and their causes. */
import questionList from "./questions.json" with { type: "json" }

/** A cause with what shows it: datagrams, an example by its id, or emulated servers as a link writes them. */
export interface Cause {
  readonly title: string
  readonly datagrams?: ReadonlyArray<{
    readonly timeMs: number
    readonly from: string
    readonly to: string
    readonly hex: string
  }>
  readonly example?: string
  readonly servers?: string
}

interface Question {
  readonly question: string
  readonly causes: ReadonlyArray<Cause>
}

export const questions: ReadonlyArray<Question> = questionList
