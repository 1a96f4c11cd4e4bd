import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from 'node:vm'
import { readGoldenMode } from '../goldens/golden-mode.ts'
import { displayPath } from '../node/display-path.ts'
import type { OpenedSandbox, openSandbox } from './open-sandbox.ts'
import { tellRetry } from './results-folder.ts'
import { sandboxKey } from './sandbox-key.ts'
import { createSandboxModules } from './sandbox-modules.ts'

/** What goldenrun needs of an environment of Jest's. */
export interface JestEnvironment {
  /** The sandbox's `globalThis`. */
  readonly global: object
  setup(): Promise<void>
  teardown(): Promise<void>
  exportConditions?(): string[]
  getVmContext(): Context | null
  handleTestEvent?(event: TestEvent, state: unknown): void | Promise<void>
}

/** What jest-circus tells, as far as it is used here. @see https://jestjs.io/docs/configuration#testenvironment-string */
export interface TestEvent {
  readonly name: string
  readonly test?: TestEntry
}

/** A test, or what it is described in; the outermost has no parent. */
interface TestEntry {
  readonly name: string
  readonly parent?: TestEntry
}

/** What a test file describes, as jest-circus keeps it. */
interface DescribeBlock {
  readonly type: 'describeBlock'
  readonly hooks: readonly Called[]
  readonly children: readonly (DescribeBlock | (Called & { readonly type: 'test' }))[]
}

/** A test or a hook. What is still to be written has no function. */
interface Called {
  fn?: (...args: never[]) => unknown
}

/** An environment's class, as Jest makes it. */
export type JestEnvironmentClass = new (config: never, context: never) => JestEnvironment

/** Milliseconds. */
const liveTimeout = 600_000

/** Packages give a sandbox with goldenrun in it another file under this condition: goldenrun itself does. */
const condition = 'goldenrun-jest'

/**
 * Adds goldenrun to an environment of Jest's: it is loaded in the sandbox before anything else, the doors to the world are open for as long as the
 * test file runs, and API keys that are not set are set to stand-ins after `setupFiles`.
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

    constructor(config: never, context: never) {
      super(config, context)
      this.#testPath = (context as { readonly testPath: string }).testPath
      const vmContext = super.getVmContext()
      if (vmContext === null) throw new TypeError(`${Environment.name} has no context to load goldenrun in.`)
      const requireInSandbox = createSandboxModules(vmContext, commonJsDirectory())
      Object.defineProperty(this.global, sandboxKey, { value: requireInSandbox, configurable: true })
      const { openSandbox: open } = requireInSandbox('jest/open-sandbox', refuse) as { readonly openSandbox: typeof openSandbox }
      this.#sandbox = open()
    }

    override async setup(): Promise<void> {
      await super.setup()
      if (readGoldenMode() === 'replay') this.#sandbox.setStandInKeys()
      // A live run takes the time that the world takes. It is where jest-circus looks, and where `jest.setTimeout` writes.
      else Reflect.set(this.global, Symbol.for('TEST_TIMEOUT_SYMBOL'), liveTimeout)
    }

    /** jest-circus tells it what happens. */
    override async handleTestEvent(event: TestEvent, state: unknown): Promise<void> {
      if (event.name === 'test_retry' && event.test !== undefined) tellRetry(`${displayPath(this.#testPath)} > ${fullNameOf(event.test)}`)
      if (event.name === 'run_start') markTests((state as { readonly rootDescribeBlock: DescribeBlock }).rootDescribeBlock, this.#sandbox)
      await super.handleTestEvent?.(event, state)
    }

    override async teardown(): Promise<void> {
      this.#sandbox.close()
      await super.teardown()
    }

    override exportConditions(): string[] {
      return [...(super.exportConditions?.() ?? []), condition]
    }
  }
  return GoldenrunEnvironment as JestEnvironmentClass as Base
}

/** What tests and their hooks do outside of runs is their own. A proxy has as many parameters as what it stands for: jest-circus counts them. */
function markTests({ hooks, children }: DescribeBlock, sandbox: OpenedSandbox): void {
  const tests = children.flatMap((child) => (child.type === 'describeBlock' ? (markTests(child, sandbox), []) : [child]))
  for (const called of [...hooks, ...tests]) {
    if (called.fn === undefined) continue
    called.fn = new Proxy(called.fn, {
      apply: (fn, self, args) => sandbox.runInTest(() => Reflect.apply(fn, self, args) as unknown),
    })
  }
}

/** A test's name with those of what it is described in, as `expect.getState()` has it. */
function fullNameOf({ name, parent }: TestEntry): string {
  return parent?.parent === undefined ? name : `${fullNameOf(parent)} ${name}`
}

/** This code lies in `dist`, in a folder for Jest's or one for chunks; what is loaded in sandboxes lies in a folder beside it. */
function commonJsDirectory(): string {
  return path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'commonjs')
}

function refuse(name: string): never {
  throw new Error(`${name} is not there yet.`)
}
