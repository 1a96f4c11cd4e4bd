import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { replayOptionsOf } from '../../src/config/agent-reference.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import type { AdviceId } from '../../src/divergence/report/advice-ids.ts'
import type { Advice, Report } from '../../src/divergence/report/report.ts'
import { type PromoteOptions, promote } from '../../src/goldens/promote.ts'
import { type GoldenCommands, withNextCommands } from '../../src/goldens/with-next-commands.ts'
import { judgeGolden, type JudgedGolden } from '../../src/matchers/judge-golden.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { currentRun } from '../../src/run/current-run.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { type CommandResult, runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

/** An agent of a test. */
export type Agent = (input: never) => unknown

/** A project with one golden, `g`, in which a report is read and followed. */
export interface AdvisedProject extends AsyncDisposable {
  readonly directory: TemporaryDirectory
  /** A server on loopback that answers every request with JSON: `{ "path": …, "number": … }`, or as a model. */
  readonly url: string
  readonly host: string
  /** Makes an agent the config's: a function, or the text of a module that exports `agent`. */
  use(agent: Agent | string): Promise<void>
  /** The config's agent. */
  load(): Promise<Agent>
  /** Adds fields to the config, as they are printed. */
  configure(fields: string): Promise<void>
  /** Records an agent's run, and makes it the golden. */
  golden(agent: Agent, options?: GoldenOptions): Promise<Trace>
  /** Records an agent's run. */
  record(agent: Agent, options?: GoldenOptions): Promise<Trace>
  /** The advice of that name in the report of a golden file, or of `goldenrun replay`, on the config's agent. */
  advised(id: AdviceId): Promise<PrintedAdvice>
  /** The advice of that name in the report of a test of one's own, which calls `replay`. */
  advisedInTest(id: AdviceId, agent: Agent, options?: ReplayOptions): Promise<PrintedAdvice>
  /** Runs a printed line of goldenrun commands, as a shell reads it. */
  run(line: string | undefined, ...more: readonly string[]): Promise<void>
  /** Evaluates a printed line of code: a call of `replay`. */
  evaluate(line: string | undefined, agent: Agent): Promise<ReplayedRun>
  /** Fails unless the golden holds with the config's agent. */
  holds(): Promise<void>
  replay(agent: Agent, options?: ReplayOptions): Promise<ReplayedRun>
  /** Runs a body in the project's folder. */
  inside<Result>(body: () => Promise<Result>): Promise<Result>
  /** Takes down that an advice was printed. */
  note(advice: Advice): Advice
  readonly asked: ReadonlySet<AdviceId>
}

/** An advice as the product prints it. */
export interface PrintedAdvice extends Advice {
  /** All that the report advises. */
  readonly all: readonly Advice[]
  readonly headline: string
}

/** How a golden is made. */
export interface GoldenOptions {
  readonly input?: string
  readonly recorder?: Omit<RecorderOptions, 'store'>
  readonly promote?: Omit<PromoteOptions, 'name'>
}

/** Something that was advised did not end as it was promised. */
class NotFollowedError extends Error {
  override readonly name = 'NotFollowedError'
}

const agents = ((globalThis as Record<symbol, unknown>)[Symbol.for('test/advice')] ??= []) as Agent[]

/** Makes a project whose world is a server on loopback. */
export async function createAdvisedProject(): Promise<AdvisedProject> {
  const directory = await createTemporaryDirectory()
  const world = await startWorld()
  const asked = new Set<AdviceId>()
  const fields: string[] = []
  let module = './agent.mjs'
  const writeConfig = async (): Promise<void> =>
    void (await directory.write(
      'goldenrun.config.mjs',
      `export default { agents: { agent: '${module}#agent' }${fields.map((field) => `, ${field}`).join('')} }\n`,
    ))
  const inside = async <Result>(body: () => Promise<Result>): Promise<Result> => {
    const before = process.cwd()
    directory.enter()
    try {
      return await body()
    } finally {
      process.chdir(before)
    }
  }
  const load = async (): Promise<Agent> =>
    ((await import(pathToFileURL(directory.resolve(module)).href)) as { readonly agent: Agent }).agent
  const file = directory.resolve('golden-traces/g.jsonl')
  const project: AdvisedProject = {
    directory,
    url: world.url,
    host: new URL(world.url).host,
    asked,
    inside,
    note(advice) {
      asked.add(advice.id)
      return advice
    },
    async use(agent) {
      const number = typeof agent === 'string' ? agents.push(async () => undefined) : agents.push(agent)
      module = `./agent-${number}.mjs`
      const text =
        typeof agent === 'string'
          ? agent
          : `export const agent = (...given) => globalThis[Symbol.for('test/advice')][${number - 1}](...given)\n`
      await directory.write(module, text)
      await writeConfig()
    },
    load,
    async configure(more) {
      fields.push(more)
      await writeConfig()
    },
    async record(agent, { input = 'in', recorder: options = {} } = {}) {
      const recorder = createRecorder({ store: directory.resolve('.goldenrun/runs'), thread: false, ...options })
      let id = ''
      const told = (given: string): unknown => {
        id = currentRun()?.id ?? ''
        return Reflect.apply(agent, undefined, [given])
      }
      await Promise.resolve(recorder.run({ agent: 'agent', input }, told)).catch(() => undefined)
      await recorder.close()
      return await inside(() => readTrace(id))
    },
    async golden(agent, options = {}) {
      const trace = await project.record(agent, options)
      await inside(() => promote(trace, { name: 'g', force: true, ...options.promote }))
      await project.use(agent)
      return trace
    },
    advised: async (id) => printed(id, await inside(reportByConfig)),
    async advisedInTest(id, agent, options = {}) {
      const judged = async (): Promise<Report> => reportOf(await judgeGolden(await readTrace(file), agent, options), {})
      return printed(id, await inside(judged))
    },
    async run(line = '', ...more) {
      for (const command of line.split(/;\s*/)) {
        const [, rest] = /^npx goldenrun (.*)$/.exec(command) ?? []
        if (rest === undefined) throw new NotFollowedError(`This is no command of goldenrun: ${command}`)
        const result = await runCommand(directory.path, [...wordsOf(rest), ...more])
        if (result.status !== 0) throw failed(command, result)
      }
    },
    evaluate: (line = '', agent) =>
      // oxlint-disable-next-line typescript/no-implied-eval -- the report prints code to copy
      new Function('replay', 'agent', `return ${line}`)(
        (_: string, one: Agent, options: ReplayOptions) => project.replay(one, options),
        agent,
      ),
    replay: (agent, options = {}) => inside(async () => await replay(await readTrace(file), agent, options)),
    async holds() {
      const { verdict, run } = await inside(judgedByConfig)
      if (!verdict.holds) throw new NotFollowedError(JSON.stringify(createReport(run), undefined, 2))
    },
    async [Symbol.asyncDispose]() {
      await world.close()
      await directory[Symbol.asyncDispose]()
    },
  }
  /** As `goldenrun replay` does, in this process. */
  async function judgedByConfig(): Promise<JudgedGolden> {
    const trace = await readTrace(file)
    const { config } = await loadConfig()
    return await judgeGolden(trace, await load(), await replayOptionsOf(config, 'agent'))
  }
  async function reportByConfig(): Promise<Report> {
    return await reportOf(await judgedByConfig(), { debug: 'debug g', optionsIn: 'config' })
  }
  function printed(id: AdviceId, { advice: all, headline, explanation }: Report): PrintedAdvice {
    const advice = all.find((each) => each.id === id)
    if (advice === undefined)
      throw new NotFollowedError(`"${id}" is not advised: ${JSON.stringify({ headline, explanation, all }, undefined, 2)}`)
    asked.add(id)
    return { ...advice, all, headline }
  }
  await writeConfig()
  return project
}

/** The report of a replay with the commands that suit it. */
async function reportOf({ run, verdict }: JudgedGolden, commands: GoldenCommands): Promise<Report> {
  const told = await withNextCommands(run, commands)
  return createReport(told, 'incident' in verdict ? verdict.incident : undefined)
}

/** The words of a line, as a POSIX shell reads it. */
function wordsOf(line: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

function failed(command: string, { status, stdout, stderr }: CommandResult): NotFollowedError {
  return new NotFollowedError(`${command} ended with ${status}:\n${stdout}\n${stderr}`)
}

/** The text of a file that a test wrote. */
export const textOf = (file: string): Promise<string> => readFile(file, 'utf8')

async function startWorld(): Promise<{ readonly url: string; close(): Promise<void> }> {
  let number = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      number += 1
      response.setHeader('content-type', 'application/json')
      const message = { role: 'assistant', content: 'Done.' }
      const isModel = request.url === '/v1/chat/completions'
      response.end(JSON.stringify(isModel ? { choices: [{ index: 0, finish_reason: 'stop', message }] } : { path: request.url, number }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
