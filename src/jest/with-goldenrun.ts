import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from 'node:vm'
import { readGoldenMode } from '../goldens/golden-mode.ts'
import { DEFAULT_LIMIT, LIVE_LIMIT } from '../goldens/within-limit.ts'
import { displayPath } from '../node/display-path.ts'
import type { OpenedSandbox, openSandbox } from './open-sandbox.ts'
import { isGolden } from '../stores/golden-directory.ts'
import { watchGolden } from './watch-golden.ts'
import { tellReporter } from './results-folder.ts'
import { sandboxKey } from './sandbox-key.ts'
import { createSandboxModules } from './sandbox-modules.ts'

/** The part of a Jest environment that goldenrun needs. */
export interface JestEnvironment {
  /** The sandbox's `globalThis`. */
  readonly global: object
  setup(): Promise<void>
  teardown(): Promise<void>
  exportConditions?(): string[]
  getVmContext(): Context | null
  handleTestEvent?(event: TestEvent, state: unknown): void | Promise<void>
}

/** The part of jest-circus's events that is used here. @see https://jestjs.io/docs/configuration#testenvironment-string */
export interface TestEvent {
  readonly name: string
  readonly test?: TestEntry
}

/** A test or a describe block; the outermost has no parent. */
interface TestEntry {
  readonly name: string
  readonly parent?: TestEntry
}

/** A describe block, as in jest-circus. */
interface DescribeBlock {
  readonly type: 'describeBlock'
  readonly hooks: readonly Called[]
  readonly children: readonly (DescribeBlock | (Called & { readonly type: 'test' }))[]
}

/** A test or a hook. A todo has no function. */
interface Called {
  fn?: (...args: never[]) => unknown
}

/** The class of an environment, as Jest constructs it. */
export type JestEnvironmentClass = new (config: never, context: never) => JestEnvironment

/** The export condition of sandboxes with goldenrun. goldenrun's own package uses it. */
const condition = 'goldenrun-jest'

/**
 * Adds goldenrun to a Jest environment: goldenrun is loaded in the sandbox before anything else, the doors are open while the test file runs, and
 * missing API keys get stand-ins after `setupFiles`.
 *
 * @example
 * // environment.js, for tests that need a document
 * const { TestEnvironment } = require('jest-environment-jsdom')
 * const { withGoldenrun } = require('goldenrun/jest/environment')
 *
 * module.exports = withGoldenrun(TestEnvironment)
 */
export function withGoldenrun<Base extends JestEnvironmentClass>(Environment: Base): Base {
  const Parent: JestEnvironmentClass = Environment
  class GoldenrunEnvironment extends Parent {
    readonly #sandbox: OpenedSandbox
    readonly #testPath: string
    readonly #limit: number
    #unwatch: (() => void) | undefined

    constructor(config: never, context: never) {
      super(config, context)
      this.#testPath = (context as { readonly testPath: string }).testPath
      this.#limit = limitOf(config)
      const vmContext = super.getVmContext()
      if (vmContext === null) throw new TypeError(`${Environment.name} has no context to load goldenrun in.`)
      const requireInSandbox = createSandboxModules(vmContext, packageDirectory())
      Object.defineProperty(this.global, sandboxKey, { value: requireInSandbox, configurable: true })
      const { openSandbox: open } = requireInSandbox('jest/open-sandbox', refuse) as { readonly openSandbox: typeof openSandbox }
      this.#sandbox = open()
    }

    override async setup(): Promise<void> {
      await super.setup()
      if (isGolden(this.#testPath)) this.#unwatch = watchGolden(displayPath(this.#testPath), this.#limit)
      if (readGoldenMode() === 'replay') this.#sandbox.setStandInKeys()
      // A live run takes real time. jest-circus reads this field, and `jest.setTimeout` writes it.
      else Reflect.set(this.global, Symbol.for('TEST_TIMEOUT_SYMBOL'), LIVE_LIMIT)
    }

    /** Called by jest-circus for each event. */
    override async handleTestEvent(event: TestEvent, state: unknown): Promise<void> {
      if (event.name === 'test_retry' && event.test !== undefined)
        tellReporter({ retried: `${displayPath(this.#testPath)} > ${fullNameOf(event.test)}` })
      if (event.name === 'run_start') markTests((state as { readonly rootDescribeBlock: DescribeBlock }).rootDescribeBlock, this.#sandbox)
      await super.handleTestEvent?.(event, state)
    }

    override async teardown(): Promise<void> {
      this.#unwatch?.()
      this.#sandbox.close()
      await super.teardown()
    }

    override exportConditions(): string[] {
      return [...(super.exportConditions?.() ?? []), condition]
    }
  }
  return GoldenrunEnvironment as JestEnvironmentClass as Base
}

/** Returns the limit of a golden's replay, which is an option of the transformer, as `describeGoldenFile` gets it. */
function limitOf({ projectConfig }: { readonly projectConfig?: { readonly transform?: readonly TransformEntry[] } }): number {
  const options = projectConfig?.transform?.find(([, file]) => /goldenrun[\\/].*transform/.test(file))?.[2]
  return readGoldenMode() === 'record' ? LIVE_LIMIT : (options?.timeout ?? DEFAULT_LIMIT)
}

/** A pattern, a transformer's file and its options, as Jest normalizes them. */
type TransformEntry = readonly [pattern: string, file: string, options?: { readonly timeout?: number }]

/** Marks contacts that tests and their hooks make outside of runs as the tests' own. Proxies are used because jest-circus counts parameters. */
function markTests({ hooks, children }: DescribeBlock, sandbox: OpenedSandbox): void {
  const tests = children.flatMap((child) => (child.type === 'describeBlock' ? (markTests(child, sandbox), []) : [child]))
  for (const hook of hooks) wrap(hook, sandbox.runInTest)
  // A test that takes a callback ends when it calls that.
  for (const test of tests) wrap(test, (test.fn?.length ?? 0) > 0 ? sandbox.runInTest : sandbox.runTest)
}

function wrap(called: Called, run: <Result>(body: () => Result) => Result): void {
  if (called.fn === undefined) return
  called.fn = new Proxy(called.fn, { apply: (fn, self, args) => run(() => Reflect.apply(fn, self, args) as unknown) })
}

/** Returns a test's name with the names of its describe blocks, as in `expect.getState()`. */
function fullNameOf({ name, parent }: TestEntry): string {
  return parent?.parent === undefined ? name : `${fullNameOf(parent)} ${name}`
}

/** Returns the package's `dist`, which contains this code in a folder. */
function packageDirectory(): string {
  return path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
}

function refuse(name: string): never {
  throw new Error(`${name} is not available yet.`)
}
