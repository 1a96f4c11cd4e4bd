import { Script } from 'node:vm'
import { type JestConfig, withGoldens } from '../../jest/goldens-config.ts'
import { isJsonObject, parseJson } from '../../trace/json.ts'
import type { ConfigEdit } from './vitest-config.ts'
import { orElse } from '../../trace/or-else.ts'

/** Returns the lines that a user has to add to a Jest config. */
export function jestLines(isModule: boolean): readonly string[] {
  return isModule
    ? ["import { withGoldens } from 'goldenrun/jest/config'", 'export default withGoldens({ … your current config … })']
    : ["const { withGoldens } = require('goldenrun/jest/config')", 'module.exports = withGoldens({ … your current config … })']
}

/** Returns a new Jest config. */
export function createJestConfig(isModule: boolean): string {
  return `${isModule ? 'export default' : 'module.exports ='} { preset: 'goldenrun/jest' }\n`
}

/** Settings that a preset would replace or be overridden by. */
const ownSettings = [
  'preset',
  'projects',
  'reporters',
  'testEnvironment',
  'testMatch',
  'testRegex',
  'moduleFileExtensions',
] as const satisfies readonly (keyof JestConfig)[]

/** Adds goldenrun to a Jest config in JSON: a separate file, or the `jest` field of `package.json`. */
export function editJestJson(text: string, { field }: { readonly field?: 'jest' } = {}): ConfigEdit {
  const whole = toObject(parseJson(text))
  const config = field === undefined ? whole : toObject(whole?.[field])
  if (whole === undefined || config === undefined) return { status: 'unclear' }
  if (JSON.stringify(config).includes('goldenrun/jest')) return { status: 'unchanged' }
  const hasOwn = ownSettings.some((name) => config[name] !== undefined)
  const edited = hasOwn ? withBabelByName(withGoldens(config)) : { preset: 'goldenrun/jest', ...config }
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  '
  const printed = JSON.stringify(field === undefined ? edited : { ...whole, [field]: edited }, undefined, indent)
  return { status: 'edited', text: `${printed}${text.endsWith('\n') ? '\n' : ''}` }
}

/** Replaces the path of a package on this machine by its name. */
function withBabelByName(config: JestConfig): JestConfig {
  const { transform = {} } = config
  const isBabel = (value: unknown): boolean => typeof value === 'string' && /[\\/]babel-jest[\\/]/.test(value)
  return {
    ...config,
    transform: Object.fromEntries(Object.entries(transform).map(([pattern, value]) => [pattern, isBabel(value) ? 'babel-jest' : value])),
  }
}

/** Adds goldenrun to a Jest config in code: wraps its export, if that is the last statement. Everything else stays unchanged. */
export function editJestCode(text: string): ConfigEdit {
  if (/goldenrun\/jest/.test(text)) return { status: 'unchanged' }
  const [exported, ...others] = [...text.matchAll(/^(?:export default|module\.exports =)[ \t]+/gm)]
  if (exported === undefined || others.length > 0) return { status: 'unclear' }
  const start = exported.index + exported[0].length
  const [, expression = '', end = ''] = /^([^]*?)(;?\s*)$/.exec(text.slice(start)) ?? []
  if (!isExpression(expression)) return { status: 'unclear' }
  const quote = text.includes('"') && !text.includes("'") ? '"' : "'"
  const source = `${quote}goldenrun/jest/config${quote}`
  const stop = /;\s*$/m.test(text) ? ';' : ''
  const isModule = exported[0].startsWith('export')
  const line = isModule ? `import { withGoldens } from ${source}${stop}\n` : `const { withGoldens } = require(${source})${stop}\n\n`
  const [prologue] = /^(?:#!.*\n)?(?:['"]use strict['"];?\s*\n)?/.exec(text) ?? ['']
  const gap = isModule && !/^\s*import\b/.test(text.slice(prologue.length)) ? '\n' : ''
  return {
    status: 'edited',
    text: `${prologue}${line}${gap}${text.slice(prologue.length, start)}withGoldens(${expression})${end}`,
  }
}

/** Whether a text is one expression, including the type assertion that may end a TypeScript config. */
function isExpression(text: string): boolean {
  const plain = text.replace(/\s+(?:satisfies|as)\s+[\w.]+(?:\s*\|\s*[\w.]+)*$/, '')
  return orElse(() => new Script(`(async () => (${plain}\n))`) instanceof Script, false)
}

function toObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? value : undefined
}
