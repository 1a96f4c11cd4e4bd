const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const BYTES: Readonly<Record<string, number>> = { B: 1, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** The format of durations, for messages. */
export const DURATION_WORDS = 'a duration such as "90s", "12h" or "30d"'

/** The format of sizes, for messages. */
export const SIZE_WORDS = 'a size such as "500MB" or "5GB"'

/** Parses a duration into milliseconds: `'250ms'`, `'90s'`, `'15m'`, `'12h'`, `'30d'`, `'4w'`. Undefined for an invalid text. */
export function parseDuration(text: string): number | undefined {
  return parse(text, MILLISECONDS)
}

/** Parses a size into bytes: `'800kB'`, `'500MB'`, `'5GB'`; 1 kB is 1000 B. Undefined for an invalid text. */
export function parseSize(text: string): number | undefined {
  return parse(text, BYTES)
}

function parse(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([A-Za-z]+)$/.exec(text) ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor
}
