import type { Drift } from '../../divergence/drift.ts'
import { dialectNamed } from '../../models/dialects.ts'
import { deploymentInPath, endpointInPath } from '../../models/url-path.ts'
import type { CallRow, HttpInput } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { fromRecorded } from '../../trace/values.ts'
import { contractsOf, hashSchema } from '../traces/contracts.ts'
import { digest } from '../traces/digest.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/** The drift since a trace was recorded, from the calls of its replay: each once, at the first recorded step where it shows. */
export function driftOf(trace: Trace, calls: readonly ReplayCall[]): Drift[] {
  const { golden, contracts } = trace.header
  // Only promotion writes contracts into a header.
  const { tools } = golden === undefined ? contractsOf(trace.steps, digest) : contracts
  const found = new Map<string, Drift>()
  const offered = new Set<string>()
  const add = (drift: Drift): void => {
    const { step: _, ...what } = drift
    const key = JSON.stringify(what)
    if (drift.expected !== drift.received && !found.has(key)) found.set(key, drift)
  }
  for (const call of calls) {
    const matched = (call.planned ?? call.heldAgainst)?.call
    if (matched === undefined) continue
    if (call.boundary === 'tool') add(effectDrift(call, matched))
    const dialect = call.boundary === 'model' ? dialectNamed(call.name) : undefined
    if (dialect === undefined || call.input === undefined) continue
    const { step } = matched
    const [recorded, replayed] = [matched.input as HttpInput, fromRecorded(call.input.value as never) as HttpInput]
    const [before, now] = [dialect.request(recorded.json, recorded.url), dialect.request(replayed.json, replayed.url)]
    const [from, to] = [endpointOf(recorded.url, before.model), endpointOf(replayed.url, now.model)]
    const drifts: Drift[] = [
      { kind: 'model', step, expected: before.model, received: now.model },
      // Only a different base is drift. The rest of the address is compared as input.
      ...(baseOf(from) === baseOf(to) ? [] : [{ kind: 'endpoint', step, expected: from, received: to } as const]),
    ]
    for (const { name: tool, schema } of now.tools) {
      const expected = Object.hasOwn(tools, tool) ? tools[tool] : undefined
      // If a tool's schema changes within a run, the first one counts, as in the header.
      if (expected === undefined || offered.has(tool)) continue
      offered.add(tool)
      drifts.push({ kind: 'tool-schema', step, tool, expected, received: hashSchema(schema, digest) })
    }
    for (const drift of drifts) add(drift)
  }
  return [...found.values()]
}

function effectDrift({ name, effect }: ReplayCall, recorded: CallRow): Drift {
  return { kind: 'effect', step: recorded.step, tool: name, expected: recorded.effect ?? 'none', received: effect ?? 'none' }
}

/**
 * A provider's endpoint: the URL without the query and without the model that some URLs contain. A local stand-in for a provider has a
 * different port each time.
 */
function endpointOf(address: string, named: string): string {
  const model = deploymentInPath(address) ?? named
  const { protocol, hostname, origin, pathname } = new URL(address)
  const start = loopback.test(hostname) ? `${protocol}//localhost` : origin
  return `${start}${model === '' ? pathname : pathname.replaceAll(encodeURIComponent(model), '*').replaceAll(model, '*')}`
}

function baseOf(endpoint: string): string {
  return endpoint.slice(0, endpoint.length - endpointInPath(endpoint).length)
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
