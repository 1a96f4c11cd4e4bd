/** Formats a duration to three digits: `0.4 ms`, `38 ms`, `1.25 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${round(milliseconds)} ms`
  if (milliseconds < 59_950) return `${round(milliseconds / 1000)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Formats a size in bytes: `812 B`, `4.1 kB`, `1.25 MB`, `254 GB` (1 kB is 1000 B). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${round(bytes / 1e3)} kB`
  return bytes < 999_500_000 ? `${round(bytes / 1e6)} MB` : `${round(bytes / 1e9)} GB`
}

/** Formats a recorded time to the second: `2026-11-21 02:14:06Z`. */
export function formatTime(iso: string): string {
  return iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?/, '$1 $2')
}

/** Formats a number of things: `1 step`, `2 steps`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

function round(value: number): string {
  return String(Number(value.toPrecision(3)))
}
