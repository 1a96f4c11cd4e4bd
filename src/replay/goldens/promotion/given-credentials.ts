/** A shorter text is in what a run was given by chance. */
const shortest = 8

/**
 * Returns the text of a golden with its stand-in in place of each credential that the run was given under a name that no rule knows: an answer's
 * `{"ck":"…"}`. The recording did not know that it was one; the replay of the agent shows that it is sent as one. A replay of the golden then knows
 * where it comes from.
 *
 * @param sent The values that a replay sent, by the stand-ins of the recorded ones.
 */
export function hideGivenCredentials(text: string, sent: ReadonlyMap<string, string>): string {
  let hidden = text
  for (const [standIn, value] of sent) {
    if (value.length >= shortest && isPlain(value) && isPlain(standIn)) hidden = hidden.replaceAll(value, standIn)
  }
  return hidden
}

/** Whether a text is written alike in JSON, in texts within it, and in a URL. */
function isPlain(text: string): boolean {
  return /^[\w.~+/=-]+$/.test(text)
}
