import type { Fault as Answer, S3World, SeenRequest } from '../fleet/world/s3-world.ts'
import { AWAY, type Fault } from './fault-kinds.ts'

/** What each request comes to while a fault lasts. */
const lasting: Readonly<Partial<Record<Fault, Answer>>> = {
  refuse: 403,
  full: 507,
  readOnly: 'no bucket',
  gone: 'down',
  hang: 'slow',
  nonsense: 'nonsense',
  slow: 'late',
}

/** What the first request for an object comes to. It is repeated. */
const passing: Readonly<Partial<Record<Fault, Answer>>> = { halfWrite: 'half write', lostAnswer: 'lost answer', cutAnswer: 'cut' }

/** Returns what a bucket answers in place of its answers. @param fault Default: nothing goes wrong. */
export function bucketFault(fault: Fault | undefined): S3World['fault'] {
  if (fault === undefined) return () => undefined
  const seen = new Set<string>()
  let count = 0
  let since: number | undefined
  return ({ method, key }: SeenRequest) => {
    count += 1
    const isFirst = !seen.has(`${method} ${key}`)
    seen.add(`${method} ${key}`)
    if (fault === 'flap') return count % 2 === 0 ? 'down' : undefined
    if (fault === 'restart') return performance.now() - (since ??= performance.now()) < AWAY ? 'down' : undefined
    const once = isFirst && (method === 'PUT' || fault !== 'halfWrite') ? passing[fault] : undefined
    return lasting[fault] ?? once
  }
}
