import { isDefaultOfClient } from '../../divergence/client-version.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import type { StandInSides } from '../../divergence/stand-ins.ts'
import type { Drift } from '../../divergence/drift.ts'
import { dialectNamed } from '../../models/dialects.ts'
import { deploymentInPath, endpointInPath } from '../../models/url-path.ts'
import type { CallRow, HttpInput } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { fromRecorded } from '../../trace/values.ts'
import { contractsOf, hashSchema } from '../traces/contracts.ts'
import { digest } from '../traces/digest.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/**
 * The drift since a trace was recorded, from the calls of its replay: each once, at the first recorded step where it shows.
 *
 * @param ofClients The requests that another version of their client changed by itself. Default: none.
 */
export function driftOf(
  trace: Trace,
  calls: readonly ReplayCall[],
  { recorded: ofTrace, live }: StandInSides,
  ofClients: readonly Divergence[] = [],
): Drift[] {
  const { golden, contracts } = trace.header
  // Only promotion writes contracts into a header.
  const { tools } = golden === undefined ? contractsOf(trace.steps, digest, ofTrace) : contracts
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
      drifts.push({ kind: 'tool-schema', step, tool, expected, received: hashSchema(schema, digest, live) })
    }
    for (const drift of drifts) add(drift)
  }
  for (const drift of clientDriftsOf(calls, ofClients)) add(drift)
  return [...found.values()]
}

/** @param divergences The requests that differ only by the version of their client. */
function clientDriftsOf(calls: readonly ReplayCall[], divergences: readonly Divergence[]): Drift[] {
  return divergences.flatMap(({ step, differences }): Drift[] => {
    const call = calls.find(({ planned }) => planned?.call.step === step)
    const [expected, received] = [call?.planned?.client, call?.input?.client]
    const paths = differences.filter((difference) => difference.part !== 'model' && !isDefaultOfClient(difference)).map(({ path }) => path)
    return expected === undefined || received === undefined || paths.length === 0
      ? []
      : [{ kind: 'client', step, expected, received, paths }]
  })
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
