import { withoutStandInNumbers } from '../../divergence/stand-ins.ts'
import { canonical, type Digest } from '../../trace/hash.ts'
import type { Contracts } from '../../trace/run-row.ts'
import type { Step } from '../../trace/trace.ts'
import { modelCallsOf } from './model-calls.ts'

/**
 * What was agreed with providers and tools, read off the model calls: the models asked for, the system prompts, the schemas of the tools
 * offered. Of a tool whose schema changed within the run it is the first that counts; of one without a schema the hash of `null`. The hashes
 * are of redacted texts, in which the stand-ins have no numbers: nothing of a secret is in them.
 */
export function contractsOf(steps: readonly Step[], digest: Digest): Contracts {
  const models = new Set<string>()
  const systemPrompts = new Set<string>()
  const tools = new Map<string, string>()
  for (const { request } of modelCallsOf(steps)) {
    const { model, system, tools: offered } = request
    if (model !== '') models.add(model)
    for (const prompt of system) systemPrompts.add(withoutStandInNumbers(prompt))
    for (const { name, schema } of offered) if (!tools.has(name)) tools.set(name, hashSchema(schema, digest))
  }
  const byName = [...tools].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { models: [...models], systemPrompts: [...systemPrompts].map((prompt) => digest(prompt)), tools: Object.fromEntries(byName) }
}

/** The hash of a tool's schema, as contracts have it. */
export function hashSchema(schema: unknown, digest: Digest): string {
  return digest(withoutStandInNumbers(canonical(schema ?? null)))
}
