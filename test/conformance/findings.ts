/** What was found out about a behaviour through a door. */
export interface Finding {
  readonly behaviour: string
  /** What was not as it has to be; empty when all was. */
  readonly wrong: readonly string[]
}
