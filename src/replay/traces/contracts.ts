import { type KnownStandIns, withoutStandIns } from '../../divergence/stand-ins.ts'
import { canonical, type Digest } from '../../trace/hash.ts'
import type { Contracts } from '../../trace/run-row.ts'
import type { Step } from '../../trace/trace.ts'
import { modelCallsOf } from './model-calls.ts'

/**
 * The contracts with providers and tools, from the model calls: models, system prompts, and schemas of offered tools. If a tool's schema
 * changed within the run, the first one counts; a tool without a schema has the hash of `null`. Hashes are computed from redacted texts
 * without stand-ins, so they contain nothing of a secret.
 */
export function contractsOf(steps: readonly Step[], digest: Digest, standIns: KnownStandIns): Contracts {
  const models = new Set<string>()
  const systemPrompts = new Set<string>()
  const tools = new Map<string, string>()
  for (const { request } of modelCallsOf(steps)) {
    const { model, system, tools: offered } = request
    if (model !== '') models.add(model)
    for (const prompt of system) systemPrompts.add(withoutStandIns(prompt, standIns))
    for (const { name, schema } of offered) if (!tools.has(name)) tools.set(name, hashSchema(schema, digest, standIns))
  }
  const byName = [...tools].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { models: [...models], systemPrompts: [...systemPrompts].map((prompt) => digest(prompt)), tools: Object.fromEntries(byName) }
}

/** The hash of a tool's schema, as in contracts. */
export function hashSchema(schema: unknown, digest: Digest, standIns: KnownStandIns): string {
  return digest(withoutStandIns(canonical(schema ?? null), standIns))
}
