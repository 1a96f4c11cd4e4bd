/** Formats a duration: `0.4 ms`, `320 ms`, `1.20 s`, `2 min 5 s`, `3 h 2 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

const separated = new Intl.NumberFormat('en-US')

/** Formats a number with separators: `12,340`. */
export function formatCount(count: number): string {
  return separated.format(count)
}

/** Formats a number and what it counts: `1 step`, `12 steps`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats a number of bytes: `12.3 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Formats a time in UTC: `2026-11-21 18:11:16Z`. */
export function formatTime(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 19).replace('T', ' ')}Z`
}

/** Formats an amount in US dollars. */
export function formatUsd(amount: number): string {
  return `$${amount < 0.1 ? amount.toPrecision(2) : amount.toFixed(2)}`
}
