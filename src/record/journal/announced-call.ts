import { hostOf } from '../../http/host-of.ts'
import type { ExchangeStart } from '../../run/active-run.ts'
import { unwritten } from '../../trace/unkept-value.ts'
import type { CallRow, HttpInput } from '../../trace/rows.ts'

/** Returns the starting call of a function that changes something. Its arguments are written with its row. */
export function announcedCall({ kind, step, owner, boundary, name, effect, at }: CallRow): CallRow {
  return { kind, step, owner, boundary, name, ...(effect === undefined ? {} : { effect }), input: unwritten, at }
}

/** Returns the starting request that may change something: its host without the path, which may hold a secret that only the run's other rows reveal. */
export function announcedRequest(
  step: number,
  { owner, method, url }: Pick<ExchangeStart, 'owner' | 'method' | 'url'>,
  at: number,
): CallRow {
  const { host } = hostOf(url)
  const input: HttpInput = { method, url: `${url.slice(0, url.indexOf(':'))}://${host}`, headers: [] }
  return { kind: 'call', step, owner, boundary: 'http', name: host, input, at }
}
