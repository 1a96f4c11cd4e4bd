/** The host of a URL: with its port, and without. */
export interface Host {
  readonly host: string
  readonly hostname: string
}

/** An agent calls few addresses many times, and parsing one costs as much as the rest of looking at it. */
const known = new Map<string, Host>()
const mostKnown = 256

/** The host of a URL. */
export function hostOf(url: string): Host {
  const remembered = known.get(url)
  if (remembered !== undefined) return remembered
  const { host, hostname } = new URL(url)
  if (known.size >= mostKnown) known.clear()
  known.set(url, { host, hostname })
  return { host, hostname }
}
