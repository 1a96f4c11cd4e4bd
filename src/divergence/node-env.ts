/** `NODE_ENV` of a recording and of its replay. */
export interface NodeEnvs {
  /** Null if it was not set; absent if the recording does not say. */
  readonly recorded?: string | null
  /** Null if it is not set. */
  readonly replayed: string | null
}

/** The note to print if the reads of the clock and random sources do not line up: many SDKs do less under `NODE_ENV=test`. */
export function tellNodeEnvs({ recorded, replayed }: NodeEnvs): string {
  const there = recorded === undefined ? 'The recording does not say what NODE_ENV was' : `NODE_ENV was ${print(recorded)} in the recording`
  const why = "If the agent's code did not change, NODE_ENV may be why it reads the clock and random values differently"
  return `Note: ${why}. ${there}; here it is ${print(replayed)}.`
}

function print(value: string | null): string {
  return value === null ? 'not set' : `"${value}"`
}
