import { isCorrelation } from '../../../http/request-headers.ts'
import { credentialMark } from '../../../trace/credential-mark.ts'
import type { HttpInput } from '../../../trace/rows.ts'
import type { Trace } from '../../../trace/trace.ts'
import { sourceLinesOf } from './source-line.ts'

/** A header whose value comes from nothing that the trace has, nor from the code. */
export interface UnexplainedHeader {
  /** In lower case. */
  readonly name: string
  readonly value: string
  /** The steps that sent it. */
  readonly steps: readonly number[]
}

/** A shorter text is in what a run was given by chance. */
const shortest = 8

/** These say in which form a client talks to a service, and come from its SDK. */
const ofClients = /^(?:accept|accept-language|content-type|prefer)$|[-_](?:beta|version)$/

/**
 * Returns the request headers of a run that got a context, whose values are in neither its input, its answers, its draws, the environment nor
 * git-tracked source. A context is not kept, so such a value looks like a constant: a replay with another context is red.
 */
export function findUnexplainedHeaders({ header, rows, steps }: Trace): UnexplainedHeader[] {
  if (header.hasContext !== true) return []
  const given = JSON.stringify([header.input, rows.filter(({ kind }) => kind !== 'call' && kind !== 'stand-in')])
  const found = new Map<string, { readonly name: string; readonly value: string; readonly steps: number[] }>()
  for (const { step, boundary, input, credentials = [] } of steps) {
    if (boundary !== 'http' && boundary !== 'model') continue
    for (const [name, value] of (input as HttpInput).headers) {
      const isExplained = value.length < shortest || value.includes(credentialMark) || credentials.some(({ at }) => at === name)
      if (isExplained || ofClients.test(name) || isCorrelation(name) || given.includes(value)) continue
      const known = found.get(`${name}\n${value}`)
      if (known !== undefined) known.steps.push(step)
      else if (sourceLinesOf(value).length === 0) found.set(`${name}\n${value}`, { name, value, steps: [step] })
    }
  }
  return [...found.values()]
}
