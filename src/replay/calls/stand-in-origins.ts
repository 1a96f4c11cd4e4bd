import { isUint8Array } from 'node:util/types'
import type { StandInOrigins } from '../../divergence/stand-ins.ts'
import { findStandIns } from '../../redaction/stand-in.ts'
import type { Trace } from '../../trace/trace.ts'

const known = new WeakMap<Trace, StandInOrigins>()

/** The origins of a trace's stand-ins: which values the run was given, and which were its own. */
export function standInOrigins(trace: Trace): StandInOrigins {
  let origins = known.get(trace)
  if (origins === undefined) {
    origins = findOrigins(trace)
    known.set(trace, origins)
  }
  return origins
}

function findOrigins({ header, rows, steps }: Trace): StandInOrigins {
  const given = new Set<number>()
  const own = new Set<number>()
  // Resent conversations share their messages.
  const seen = new WeakSet()
  const visit = (value: unknown, first: Set<number>, other: ReadonlySet<number>): void => {
    if (typeof value === 'string') {
      for (const { number } of findStandIns(value)) if (!other.has(number)) first.add(number)
    } else if (typeof value === 'number') visit(String(value), first, other)
    else if (isUint8Array(value)) visit(Buffer.from(value).toString('latin1'), first, other)
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      if (value instanceof Map || value instanceof Set || value instanceof Headers) for (const item of value) visit(item, first, other)
      else if (value instanceof URL) visit(value.href, first, other)
      else for (const [key, field] of Object.entries(value)) [key, field].forEach((part) => visit(part, first, other))
      if (value instanceof Error) [value.message, value.cause].forEach((part) => visit(part, first, other))
    }
  }
  const give = (value: unknown): void => visit(value, given, own)
  const make = (value: unknown): void => visit(value, own, given)
  const outputs = new Map(steps.map(({ step, output }) => [step, output]))
  give([header.input, header.ambient?.answers, header.runtime.env])
  for (const row of rows) {
    if (row.kind === 'call') make([row.input, row.idempotencyKey])
    else if (row.kind === 'checkpoint') make(row.state)
    else if (row.kind === 'end') make([row.output, row.error])
    // The whole body of a stream, because a stand-in may be split across chunks.
    else if (row.kind === 'return') give([row.output, outputs.get(row.step)])
    else if (row.kind === 'head') give([row.headers, row.url])
    else if (row.kind === 'chunk') give([row.text, row.bytes])
    else if (row.kind === 'throw') give(row.error)
    else if (row.kind === 'signal') give(row.value)
    else if (row.kind === 'reads') give(row.uuid)
  }
  return { last: Math.max(0, ...given, ...own), isOwn: (number) => own.has(number) }
}
