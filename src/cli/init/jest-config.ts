import type { ConfigEdit } from './vitest-config.ts'

/** What has to stand in a Jest config, for a person to add. */
export const JEST_LINES: readonly string[] = ["testEnvironment: 'goldenrun/jest/environment',", "setupFilesAfterEnv: ['goldenrun/jest'],"]

/** A new Jest config. */
export function createJestConfig(isModule: boolean): string {
  const fields = JEST_LINES.map((line) => `  ${line}\n`).join('')
  return isModule ? `export default {\n${fields}}\n` : `module.exports = {\n${fields}}\n`
}

/** Adds goldenrun to a Jest config in JSON: a file of its own, or the `jest` field of `package.json`. A config in code is a person's to edit. */
export function editJestConfig(text: string, { field }: { readonly field?: 'jest' }): ConfigEdit {
  if (JEST_LINES.every((line) => text.includes(/goldenrun[^'"]*/.exec(line)?.[0] ?? ''))) return { status: 'unchanged' }
  const whole = parseObject(text)
  const config = field === undefined ? whole : toObject(whole?.[field])
  if (whole === undefined || config === undefined || config['testEnvironment'] !== undefined) return { status: 'unclear' }
  const { setupFilesAfterEnv = [] } = config
  if (!Array.isArray(setupFilesAfterEnv)) return { status: 'unclear' }
  const edited = {
    ...config,
    testEnvironment: 'goldenrun/jest/environment',
    setupFilesAfterEnv: ['goldenrun/jest', ...(setupFilesAfterEnv as unknown[])],
  }
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  '
  const printed = JSON.stringify(field === undefined ? edited : { ...whole, [field]: edited }, undefined, indent)
  return { status: 'edited', text: `${printed}${text.endsWith('\n') ? '\n' : ''}` }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return toObject(JSON.parse(text))
  } catch {
    // A config in code.
    return undefined
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined
}
