import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import picocolors from 'picocolors'
import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/command-line.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { buildPackage } from '../support/build-package.ts'
import { record } from '../support/recordings.ts'
import { runCommand, spawnCommand, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

const agentModule = `
import { tool } from ${JSON.stringify(pathToFileURL(`${await buildPackage()}/dist/index.js`).href)}

const send = tool('send', {}, async (args: object) => Object.keys(args).length)

export async function supportAgent({ text }: { text: string }): Promise<number> {
  return await send({ to: 'refunds@shop.example', cc: 'desk@shop.example', text })
}
`

async function createProject(): Promise<TemporaryDirectory> {
  const project = await createTemporaryDirectory()
  project.enter()
  const file = await project.write('agent.ts', agentModule)
  await project.write('goldenrun.config.mjs', "export default { agents: { support: './agent.ts#supportAgent' } }")
  execFileSync('git', ['init', '-q'])
  execFileSync('git', ['add', 'agent.ts'])
  const { supportAgent }: { supportAgent: (input: { text: string }) => Promise<number> } = await import(/* @vite-ignore */ file)
  await record(store, { input: { text: 'Where is it?' } }, supportAgent)
  return project
}

/** A terminal at which somebody answers questions. */
function createAnsweringTerminal(answers: readonly boolean[]): {
  readonly terminal: Terminal
  readonly lines: string[]
  readonly questions: string[]
} {
  const [lines, questions, left]: [string[], string[], boolean[]] = [[], [], [...answers]]
  const print = (text: string): void => void lines.push(...text.split('\n'))
  const terminal: Terminal = {
    colors: picocolors.createColors(false),
    width: 120,
    isTerminal: true,
    isInteractive: true,
    print,
    page: async (text) => print(text),
    printJson: (value) => print(JSON.stringify(value)),
    printError: print,
    status: () => undefined,
    divert: () => () => undefined,
    confirm: async (question) => {
      questions.push(question)
      return left.shift() ?? false
    },
  }
  return { terminal, lines, questions }
}

it("keeps the constants of the agent's modules without a question, and says so with their lines", async () => {
  await using project = await createProject()
  const { terminal, lines, questions } = createAnsweringTerminal([true])
  expect(await runCommandLine(['promote', 'latest', '--name', 'sent'], terminal)).toBe(0)
  expect(questions).toEqual(['Keep it?'])
  expect(lines.filter((line) => line.startsWith('  constant'))).toEqual([
    '  constant    the code passes "refunds@shop.example" (agent.ts:7) to args.to of step 1: kept as it is',
    '  constant    the code passes "desk@shop.example" (agent.ts:7) to args.cc of step 1: kept as it is',
  ])
  await project.write('agent.ts', agentModule.replace('desk@', 'mallory@'))
  // In a process that has not loaded the agent yet.
  const changed = await spawnCommand(project.path, ['replay', 'sent'])
  expect(changed.status).toBe(1)
  expect(changed.stdout).toContain('expected  "desk@shop.example"')
})

it('asks about each constant with its line if it is told not to keep them, and keeps those that a person says yes to', async () => {
  await using project = await createProject()
  const { terminal, lines, questions } = createAnsweringTerminal([true, false, true])
  expect([await runCommandLine(['promote', 'latest', '--name', 'sent', '--no-keep-constants'], terminal), lines.slice(-2)]).toEqual([
    0,
    ['Wrote golden-traces/sent.jsonl.', 'Wrote golden-traces/support.accepted, so that a red report can say what has changed.'],
  ])
  const question = 'Keep the value, so that a replay does not hold once it changes?'
  expect(questions).toEqual([
    `The code passes "refunds@shop.example" (agent.ts:7) to args.to of step 1. ${question}`,
    `The code passes "desk@shop.example" (agent.ts:7) to args.cc of step 1. ${question}`,
    'Keep it?',
  ])
  expect(lines.filter((line) => line.startsWith('  constant'))).toEqual([
    '  constant    the code passes "refunds@shop.example" (agent.ts:7) to args.to of step 1: kept as it is',
    '  constant    the code passes "desk@shop.example" (agent.ts:7) to args.cc of step 1: compared only as a stand-in. To keep it: --keep-constant args.cc',
  ])
  const golden = await readFile(project.resolve('golden-traces/sent.jsonl'), 'utf8')
  expect([golden.includes('refunds@shop.example'), golden.includes('desk@shop.example')]).toEqual([true, false])
})

it('keeps constants by their paths without asking, and lists what is left in --json', async () => {
  await using project = await createProject()
  const args = ['promote', 'latest', '--name', 'sent', '--yes', '--json', '--no-keep-constants']
  const { stdout } = await runCommand(project.path, [...args, '--keep-constant', 'args.cc'])
  const constant = { kind: 'email', file: 'agent.ts', line: 7, alsoGiven: false, isLoaded: true }
  expect((JSON.parse(stdout) as { constants: unknown }).constants).toEqual([
    { ...constant, literal: 'refunds@shop.example', places: [{ place: { step: 1 }, path: 'args.to' }], isKept: false },
    { ...constant, literal: 'desk@shop.example', places: [{ place: { step: 1 }, path: 'args.cc' }], isKept: true },
  ])
  const held = await runCommand(project.path, ['replay', 'sent', '--json'])
  const { traces } = JSON.parse(held.stdout) as { traces: { status: string; standIns: { path: string }[] }[] }
  expect(traces.map(({ status, standIns }) => [status, standIns.map(({ path }) => path)])).toEqual([['held', ['args.to']]])
  expect((await runCommand(project.path, ['check'])).stdout).not.toContain('secret')
  await project.write('agent.ts', agentModule.replace('desk@', 'mallory@'))
  // In a process that has not loaded the agent yet.
  const changed = await spawnCommand(project.path, ['replay', 'sent'])
  expect(changed.status).toBe(1)
  expect(changed.stdout).toContain('expected  "desk@shop.example"')
})

it('refuses a path at which the code brings no constant, and any path without a replay', async () => {
  await using project = await createProject()
  const args = ['promote', 'latest', '--name', 'sent', '--yes', '--keep-constant']
  const of =
    'A constant is an e-mail address, a card or a phone number that is written literally in git-tracked source, outside of tests, fixtures and goldens. Keys and tokens are never kept.\n'
  const none = await runCommand(project.path, [...args, 'args.text'])
  expect([none.status, withoutTimes(none.stderr)]).toEqual([
    2,
    `Cannot promote YYYYMMDD-hhmmssmmm-xxxxxxxx: there is no constant to keep at args.text: a replay of the agent passes them only to args.to, args.cc. ${of}`,
  ])
  const unreplayed = await runCommand(project.path, [...args, 'args.to', '--no-replay'])
  expect([unreplayed.status, withoutTimes(unreplayed.stderr)]).toEqual([
    2,
    `Cannot promote YYYYMMDD-hhmmssmmm-xxxxxxxx: there is no constant to keep at args.to: it was not replayed with an agent. ${of}`,
  ])
})
