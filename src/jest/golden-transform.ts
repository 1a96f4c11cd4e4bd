import path from 'node:path'
import { titleOf } from '../goldens/described-golden.ts'
import { DEFAULT_LIMIT } from '../goldens/within-limit.ts'

/** How goldens run as tests: the second element of `[transformer, options]` in Jest's `transform`. */
export interface GoldenTransformOptions {
  /** Hosts that a golden's file may reach outside of its run, with their port or without; `localhost` is every loopback address. Default: none. */
  readonly live?: readonly string[]
  /** Milliseconds of real time that the replay of a golden's file may take: Jest's `testTimeout` is not for them. Default: 60,000. */
  readonly timeout?: number
}

/** What Jest tells a transformer. */
interface TransformRequest {
  readonly supportsDynamicImport: boolean
  readonly transformerConfig?: GoldenTransformOptions
}

/**
 * Makes a test of each golden trace: Jest's `transform` for `golden-traces/**\/*.jsonl`. The preset `goldenrun/jest` has it.
 *
 * @note The agent is loaded with the sandbox's own `import`, or `require` where Jest runs no modules: so it is the one that its tests get.
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

/** A golden's name, and what it is about. What is wrong with a file, its test says. */
function aboutOf(text: string, fallback: string): { readonly name: string; readonly title: string } {
  const header = parse(text.replace(/^\uFEFF/, '').split('\n', 1)[0] ?? '') as {
    readonly golden?: { name?: unknown; description?: unknown }
  }
  const { name, description } = header.golden ?? {}
  const named = typeof name === 'string' ? name : fallback
  return { name: named, title: titleOf({ name: named, ...(typeof description === 'string' && { description }) }) }
}

function parse(line: string): object {
  try {
    const header: unknown = JSON.parse(line)
    return typeof header === 'object' && header !== null ? header : {}
  } catch {
    return {}
  }
}
