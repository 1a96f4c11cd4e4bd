import * as z from 'zod/mini'
import { PathRules } from '../divergence/path-rules.ts'
import { checkFilesOptions } from '../boundaries/files/files-option.ts'
import { checkRedactOptions } from '../redaction/redact-options.ts'
import { checkRetentionOptions } from '../stores/retention.ts'
import { checkReadLimits } from '../stores/reading-limits.ts'
import { openSecretStore } from '../stores/secrets/secrets-options.ts'
import { checkNamedUrls, OptionsError } from '../trace/errors/options-error.ts'
import { checkRequestEffects } from '../trace/requests/check-request-effects.ts'
import { toPath } from '../trace/path.ts'
import type { GoldenrunConfig } from './define-config.ts'
import { ConfigError } from './errors/config-error.ts'

// An `error` states the requirement, after "has to be".

const name = z.string({ error: 'text' }).check(z.minLength(1, { error: 'text that is not empty' }))
const names = z.array(name, { error: 'a list of names' })
const isFunction = (value: unknown): boolean => typeof value === 'function'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isStore = (value: unknown): boolean =>
  isObject(value) && ['open', 'list', 'read'].every((method) => isFunction(Reflect.get(value, method)))
const toolMode = z.union([z.enum(['stub', 'run']), z.custom(isFunction)], { error: '"stub", "run" or a function' })

const agentWords = {
  error: 'a file, or a file and its export: "./src/agent.ts#supportAgent"; or { module, context } with a function for its context',
}

const agentModule = z.string(agentWords).check(z.regex(/^[^#]+(#[\p{L}_$][\p{L}\d_$]*)?$/u, agentWords))

const dollars = { error: 'US dollars per million tokens' }
const price = z.number(dollars).check(z.nonnegative(dollars))

const object = z.custom(isObject, { error: 'an object' })

const replayFields = {
  tools: z.union([toolMode, z.record(name, toolMode)], { error: '"stub", "run", or an object with one of them, or a function, by tool' }),
  ignore: z.array(z.string(), { error: 'a list of paths' }),
  normalize: z.record(name, z.union([z.string(), z.custom(isFunction)], { error: 'a name or a function' })),
  allowModelDrift: z.array(z.strictObject({ from: name, to: name }), { error: 'a list of { from, to }' }),
  telemetry: z.custom(isObject, { error: 'the result of otel()' }),
}

const checkFields = {
  maxAgeDays: z.number({ error: 'a number of days' }).check(z.positive({ error: 'a number of days above 0' })),
  models: z.record(name, z.union([name, z.array(name)], { error: 'a model, or a list of models' })),
}

const headerFields = { ignore: names }

const fields = {
  agents: z.record(
    name,
    z.union(
      [agentModule, z.strictObject({ module: agentModule, context: z.exactOptional(z.custom(isFunction, { error: 'a function' })) })],
      agentWords,
    ),
  ),
  store: z.union([name, z.custom(isStore)], { error: 'a directory, or a store with open, list and read' }),
  env: names,
  compareHeaders: names,
  effects: object,
  ambient: names,
  mute: names,
  record: names,
  files: object,
  headers: options(headerFields),
  assertReplays: z.boolean({ error: 'true or false' }),
  live: names,
  refuse: names,
  retention: object,
  secrets: z.custom((value) => isObject(value) && 'store' in value, { error: 'an object with { store, key }' }),
  redact: object,
  replay: options(replayFields),
  sandbox: z.record(name, z.unknown(), { error: 'an object with an answer, a function or handlers by name' }),
  prices: z.record(
    name,
    z.strictObject({ input: price, output: price, cacheRead: z.exactOptional(price), cacheWrite: z.exactOptional(price) }),
    { error: 'an object with { input, output } in US dollars per million tokens, by model' },
  ),
  check: options(checkFields),
  limits: object,
}

const config = options(fields)

/** Checks an object that may have these fields, and no others. */
function options(shape: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType {
  return z.strictObject(Object.fromEntries(Object.entries(shape).map(([field, type]) => [field, z.exactOptional(type)])))
}

/**
 * Checks a config.
 *
 * @param file Its name in messages.
 * @throws ConfigError for the first problem found.
 */
export function checkConfig(value: unknown, file: string): asserts value is GoldenrunConfig {
  const { error } = config.safeParse(value)
  const issue = error?.issues[0]
  if (issue !== undefined) throw new ConfigError({ file, ...toFault(issue) })
  const { effects, files, limits, redact, retention, secrets, replay = {} } = value as GoldenrunConfig
  // Few commands need the key, and it may be missing where the others run.
  if (secrets !== undefined) checkWith(() => openSecretStore('defineConfig', secrets), 'secrets', file)
  checkWith(() => checkRequestEffects('defineConfig', effects), 'effects', file)
  checkWith(() => checkRedactOptions('defineConfig', redact), 'redact', file)
  for (const option of ['mute', 'record'] as const)
    checkWith(() => checkNamedUrls('defineConfig', { [option]: (value as GoldenrunConfig)[option] }), option, file)
  checkWith(() => checkFilesOptions('defineConfig', files), 'files', file)
  checkWith(() => checkReadLimits('defineConfig', limits), 'limits', file)
  checkWith(() => checkRetentionOptions('defineConfig', retention), 'retention', file)
  const { ignore = [], normalize = {} } = replay
  void new PathRules({ ignore, normalize }, (option, problem) => {
    throw new ConfigError({ file, field: `replay.${option}`, problem })
  })
}

function checkWith(check: () => void, field: string, file: string): void {
  try {
    check()
  } catch (error) {
    if (!OptionsError.isInstance(error)) throw error
    throw new ConfigError({ file, field, problem: error.problem }, { cause: error })
  }
}

function toFault(issue: z.core.$ZodIssue): { readonly field?: string; readonly problem: string } {
  const keys = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
  if (issue.code === 'unrecognized_keys') {
    return { field: toPath([...keys, ...issue.keys.slice(0, 1)], ''), problem: `is not known. ${fieldsAt(keys)}` }
  }
  if (keys.length === 0) return { problem: 'has to export an object as its default: export default defineConfig({ … }).' }
  const needsObject = issue.code === 'invalid_type' && (issue.expected === 'object' || issue.expected === 'record')
  return { field: toPath(keys, ''), problem: `has to be ${needsObject ? 'an object' : issue.message}.` }
}

/** Returns the known fields at the place of an unknown one. */
function fieldsAt([key, ...further]: readonly (string | number)[]): string {
  const shapes = { replay: replayFields, check: checkFields, headers: headerFields }
  const isNested = key === 'replay' || key === 'check' || key === 'headers'
  const known = further.length > 0 ? ['from', 'to'] : Object.keys(isNested ? shapes[key] : fields)
  return `The fields are: ${known.join(', ')}.`
}
