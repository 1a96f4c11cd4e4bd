import type { Drift } from '../divergence/drift.ts'
import { dialectNamed } from '../models/dialects.ts'
import type { HttpInput } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'
import { fromRecorded } from '../trace/values.ts'
import { contractsOf, hashSchema } from './contracts.ts'
import { digest } from './digest.ts'
import type { LiveCall } from './live-call.ts'

/** What has drifted since a trace was recorded, by the model calls of its replay: each once, at the step where it shows first. */
export function driftOf(trace: Trace, calls: readonly LiveCall[], numberOf: (call: LiveCall) => number): Drift[] {
  const { golden, contracts } = trace.header
  // Only promotion writes contracts into a header.
  const { tools } = golden === undefined ? contractsOf(trace.steps, digest) : contracts
  const found = new Map<string, Drift>()
  const offered = new Set<string>()
  const add = (key: string, drift: Drift): void => void (found.has(key) || found.set(key, drift))
  for (const call of calls) {
    const dialect = call.boundary === 'model' ? dialectNamed(call.name) : undefined
    if (dialect === undefined || call.input === undefined) continue
    const step = numberOf(call)
    const live = fromRecorded(call.input.value as never) as HttpInput
    const request = dialect.request(live.json, live.url)
    const recorded = call.planned?.call.input as HttpInput | undefined
    if (recorded !== undefined) {
      const { model } = dialect.request(recorded.json, recorded.url)
      if (model !== request.model) add(`model ${model} ${request.model}`, { kind: 'model', step, expected: model, received: request.model })
      const [expected, received] = [endpointOf(recorded.url, model), endpointOf(live.url, request.model)]
      if (expected !== received) add(`endpoint ${expected} ${received}`, { kind: 'endpoint', step, expected, received })
    }
    for (const { name, schema } of request.tools) {
      // Of a tool whose schema changes within a run it is the first that counts, as in the header.
      const expected = offered.has(name) || !Object.hasOwn(tools, name) ? undefined : tools[name]
      offered.add(name)
      const received = hashSchema(schema, digest)
      if (expected !== undefined && expected !== received)
        add(`tool ${name}`, { kind: 'tool-schema', step, tool: name, expected, received })
    }
  }
  return [...found.values()]
}

/** Where a provider is reached: the address without the query and without the model that some name in it. */
function endpointOf(address: string, model: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${model === '' ? pathname : pathname.replaceAll(encodeURIComponent(model), '*').replaceAll(model, '*')}`
}
