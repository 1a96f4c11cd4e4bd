import path from 'node:path'
import { titleOf } from '../goldens/described-golden.ts'
import { DEFAULT_LIMIT } from '../goldens/within-limit.ts'
import { parseJson } from '../trace/json.ts'

/** Options for goldens as tests: the second element of `[transformer, options]` in Jest's `transform`. */
export interface GoldenTransformOptions {
  /**
   * Hosts that a golden's file may contact outside of its run, with or without a port; `localhost` means every loopback address. Default:
   * none.
   */
  readonly live?: readonly string[]
  /** The limit of a replay of a golden's file, in milliseconds of real time. Jest's `testTimeout` does not apply. Default: 60,000. */
  readonly timeout?: number
}

/** What Jest passes to a transformer. */
interface TransformRequest {
  readonly supportsDynamicImport: boolean
  readonly transformerConfig?: GoldenTransformOptions
}

/**
 * Turns each golden trace into a test: Jest's `transform` for `golden-traces/**\/*.jsonl`. The preset `goldenrun/jest` includes it.
 *
 * @note The agent is loaded with the sandbox's own `import`, or `require` if Jest does not run ES modules, so it is the same module that its
 * tests get.
 */
export const transform = {
  process(text: string, file: string, { supportsDynamicImport, transformerConfig = {} }: TransformRequest): { readonly code: string } {
    const { live = [], timeout = DEFAULT_LIMIT } = transformerConfig
    const { name, title } = aboutOf(text, path.basename(file, '.jsonl'))
    const golden = [
      'file: __filename',
      `name: ${JSON.stringify(name)}`,
      `title: ${JSON.stringify(title)}`,
      `live: ${JSON.stringify(live)}`,
      `limit: ${timeout}`,
      `load: ${supportsDynamicImport ? 'async (module) => import(module)' : 'async (module) => require(module)'}`,
    ]
    const advice =
      "A golden needs goldenrun's environment: set testEnvironment: 'goldenrun/jest/environment' in Jest's config, or give goldens a project of their own."
    const lines = [
      "'use strict'",
      "const requireInSandbox = globalThis[Symbol.for('goldenrun.jest')]",
      `if (requireInSandbox === undefined) throw new Error(${JSON.stringify(advice)})`,
      `requireInSandbox('jest/golden-file', require).describeGoldenFile({ ${golden.join(', ')} })`,
      '',
    ]
    return { code: lines.join('\n') }
  },
}

/** Returns a golden's name and title. Problems of the file are reported by its test. */
function aboutOf(text: string, fallback: string): { readonly name: string; readonly title: string } {
  const header = parseJson(text.replace(/^\uFEFF/, '').split('\n', 1)[0] ?? '') as
    | { readonly golden?: { name?: unknown; description?: unknown } }
    | null
    | undefined
  const { name, description } = header?.golden ?? {}
  const named = typeof name === 'string' ? name : fallback
  return { name: named, title: titleOf({ name: named, ...(typeof description === 'string' && { description }) }) }
}
