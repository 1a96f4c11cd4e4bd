import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { renderDivergences, reportDivergences } from '../../src/divergence/create-report.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { promote, type PromoteOptions } from '../../src/goldens/promote.ts'
import type { Promotion } from '../../src/replay/goldens/promotion.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

/** What the code of the agents below holds. */
interface Constants {
  readonly refunds: string
  readonly account: string
  readonly hotline: string
  readonly key: string
}

const ours: Constants = {
  refunds: 'refunds@shop.example',
  account: '4111 1111 1111 1111',
  hotline: '+49 170 1234567',
  key: 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1',
}

const send = tool('send', { effect: 'write' }, async (mail: { to: string; text?: string }) => ({ sent: `to ${mail.to}` }))
const book = tool('book', { effect: 'write' }, async (_booking: object) => ({ booked: true }))
const pay = external('pay', async (_by: object) => 'paid')

type Agent = (input: { text: string }) => Promise<unknown>

const agentWith =
  ({ refunds, account, hotline, key }: Constants): Agent =>
  async ({ text }) => {
    const { sent } = await send({ to: refunds, text })
    await book({
      account,
      number: Number(account.replaceAll(' ', '')),
      note: sent,
      url: `https://shop.example/?to=${encodeURIComponent(refunds)}`,
    })
    await pay({ key })
    checkpoint('paid', { from: refunds })
    return { call: hotline, mail: refunds }
  }

/** A project of its own, with source that git tracks. */
async function createProject(files: Readonly<Record<string, string>> = {}): Promise<TemporaryDirectory> {
  const project = await createTemporaryDirectory()
  project.enter()
  const source = `export const support = {\n${Object.entries(ours)
    .map(([name, value]) => `  ${name}: '${value}',\n`)
    .join('')}}\n`
  for (const [file, text] of Object.entries({ 'src/support.ts': source, ...files })) await project.write(file, text)
  git('init', '-q')
  git('add', '.')
  return project
}

function git(...args: string[]): void {
  execFileSync('git', args, { stdio: 'ignore' })
}

async function record(agent: Agent, text = 'Where is my refund?'): Promise<Trace> {
  const recorder = createRecorder({ store: '.goldenrun/runs' })
  await recorder.run({ agent: 'mailer', input: { text } }, agent)
  await recorder.close()
  const names = (await readdir('.goldenrun/runs')).filter((name) => name !== 'index')
  return await readTrace(`.goldenrun/runs/${names.toSorted().at(-1)}`)
}

async function promoted(trace: Trace, agent: Agent, options: Partial<PromoteOptions> = {}): Promise<Promotion> {
  return await promote(trace, { name: 'kept', agent, force: true, ...options })
}

function verdicts({ divergences }: ReplayedRun): object[] {
  return divergences.map(({ cause, step, differences }) => ({ cause, step, paths: differences.map(({ path }) => path) }))
}

it('names constants that only data has with their lines, and leaves them as stand-ins unless it is told to keep them', async () => {
  await using _ = await createProject()
  const agent = agentWith(ours)
  const { constants, text } = await promoted(await record(agent), agent)
  expect(constants).toEqual([
    {
      literal: ours.refunds,
      kind: 'email',
      file: 'src/support.ts',
      line: 2,
      places: [
        { place: { step: 1 }, path: 'args.to' },
        { place: { step: 2 }, path: 'args.url' },
        { place: { checkpoint: 'paid' }, path: 'state.from' },
        { place: 'outcome', path: 'output.mail' },
      ],
      alsoGiven: false,
      isLoaded: false,
      isKept: false,
    },
    {
      literal: ours.account,
      kind: 'card',
      file: 'src/support.ts',
      line: 3,
      places: [
        { place: { step: 2 }, path: 'args.account' },
        { place: { step: 2 }, path: 'args.number' },
      ],
      alsoGiven: false,
      isLoaded: false,
      isKept: false,
    },
    {
      literal: ours.hotline,
      kind: 'phone',
      file: 'src/support.ts',
      line: 4,
      places: [{ place: 'outcome', path: 'output.call' }],
      alsoGiven: false,
      isLoaded: false,
      isKept: false,
    },
  ])
  for (const secret of Object.values(ours)) expect(text).not.toContain(secret)
})

/** Has a module with the constants loaded, as an agent has. */
async function load(project: TemporaryDirectory, file: string): Promise<Constants> {
  const { support }: { readonly support: Constants } = await import(/* @vite-ignore */ pathToFileURL(project.resolve(file)).href)
  return support
}

/** The line of a constant in the module, which has a line each. */
const lineOf = (name: keyof Constants): number => Object.keys(ours).indexOf(name) + 2

it('keeps the constants of the modules that the agent loads, in every place, with file and line', async () => {
  await using project = await createProject({ 'data/routes.json': JSON.stringify(ours) })
  const agent = agentWith(await load(project, 'src/support.ts'))
  const trace = await record(agent)
  const { constants = [], text } = await promoted(trace, agent)
  expect(constants.map(({ literal, file, line, isLoaded, isKept }) => [literal, file, line, isLoaded, isKept])).toEqual([
    [ours.refunds, 'src/support.ts', lineOf('refunds'), true, true],
    [ours.account, 'src/support.ts', lineOf('account'), true, true],
    [ours.hotline, 'src/support.ts', lineOf('hotline'), true, true],
  ])
  expect(text).not.toContain(ours.key)
  const same = await replay('kept', agent)
  expect([same.divergences, same.standIns.map(({ kind }) => kind)]).toEqual([[], ['secret']])
  for (const [name, value] of Object.entries({
    refunds: 'mallory@evil.example',
    account: '5555 5555 5555 4444',
    hotline: '+49 170 7654321',
  })) {
    const changed = await replay('kept', agentWith({ ...ours, [name]: value }))
    expect(changed.divergences, name).not.toEqual([])
  }
})

it('holds an agent whose constant a customer quotes and an answer repeats, and is red when the constant changes', async () => {
  await using project = await createProject()
  const support = await load(project, 'src/support.ts')
  const find = tool('find', { effect: 'read' }, async () => ({ text: `Write to ${support.refunds}.` }))
  const withAddress =
    (address: string): Agent =>
    async ({ text }) => {
      const answer = await find()
      // What the agent does depends on the value.
      const isKnown = answer.text.includes(address) && text.includes(address)
      return await send({ to: address, text: isKnown ? 'as you know' : 'as we wrote' })
    }
  const agent = withAddress(support.refunds)
  await promoted(await record(agent, `I wrote to ${support.refunds}, and nobody answers`), agent)
  expect((await replay('kept', agent)).divergences).toEqual([])
  expect(verdicts(await replay('kept', withAddress('mallory@evil.example')))[0]).toEqual({
    cause: 'input',
    step: 2,
    paths: ['args.to', 'args.text'],
  })
})

it('keeps none that is told not to, and none of tracked code that the agent does not load', async () => {
  await using project = await createProject({ 'scripts/seed.ts': `export const people = ['seed@shop.example']\n` })
  const agent: Agent = async () => await send({ to: 'seed@shop.example' })
  const seeded = await promoted(await record(agent), agent)
  expect(seeded.constants).toMatchObject([{ literal: 'seed@shop.example', file: 'scripts/seed.ts', isLoaded: false, isKept: false }])
  expect(seeded.text).not.toContain('seed@shop.example')

  const loaded = agentWith(await load(project, 'src/support.ts'))
  const { constants = [], text } = await promoted(await record(loaded), loaded, { keepConstants: false })
  expect(constants.map(({ isLoaded, isKept }) => [isLoaded, isKept])).toEqual(Array.from({ length: 3 }, () => [true, false]))
  for (const secret of Object.values(ours)) expect(text).not.toContain(secret)
})

const changes: readonly (readonly [what: string, path: string, changed: Partial<Constants>, verdict: object])[] = [
  ['a fixed recipient', 'args.to', { refunds: 'mallory@evil.example' }, { cause: 'input', step: 1, paths: ['args.to'] }],
  [
    'an account number that passes Luhn',
    'args.account',
    { account: '5555 5555 5555 4444' },
    { cause: 'input', step: 2, paths: ['args.account', 'args.number'] },
  ],
  ['a phone number in the output', 'output.call', { hotline: '+49 170 7654321' }, { cause: 'outcome', step: 3, paths: ['output.call'] }],
]

it.each(changes)('holds the agent to %s once it is kept, and not before', async (_, path, changed, verdict) => {
  await using project = await createProject()
  const [agent, other] = [agentWith(ours), agentWith({ ...ours, ...changed })]
  const trace = await record(agent)
  await promoted(trace, agent)
  const before = await replay('kept', other)
  expect(before.divergences).toEqual([])
  expect(before.standIns.map((standIn) => standIn.path)).toContain(path)

  const { constants = [], trace: golden } = await promoted(trace, agent, { keepConstants: [path] })
  expect(constants.filter(({ isKept }) => isKept)).toHaveLength(1)
  const same = await replay('kept', agent)
  expect(same.divergences).toEqual([])
  expect(same.hash).toBe(golden.hash)
  expect(same.standIns.map((standIn) => standIn.path)).not.toContain(path)
  const run = await replay('kept', other, { onDivergence: 'continue' })
  expect(verdicts(run)[0]).toEqual(verdict)
  const text = await readFile(project.resolve('golden-traces/kept.jsonl'), 'utf8')
  expect(text).not.toContain(ours.key)
})

it('never keeps a key, though it stands in the source', async () => {
  await using _ = await createProject()
  const agent = agentWith(ours)
  const trace = await record(agent)
  await expect(promoted(trace, agent, { keepConstants: ['args.key'] })).rejects.toMatchObject({
    code: 'GOLDENRUN_PROMOTE_CONSTANT',
    message:
      `Cannot promote ${trace.header.id}: there is no constant to keep at args.key: a replay of the agent passes them only to args.to, args.url, ` +
      'state.from, output.mail, args.account, args.number, output.call. A constant is an e-mail address, a card or a phone number that ' +
      'is written literally in git-tracked source, outside of tests, fixtures and goldens. Keys and tokens are never kept.',
  })
  expect(await readdir('.')).not.toContain('golden-traces')
})

it('takes nothing for a constant that no tracked source holds, or tests, fixtures, goldens and .env alone', async () => {
  const [untracked, inTest, inEnvironment, within] = ['a@shop.example', 'b@shop.example', 'c@shop.example', 'd@shop.example']
  const agent: Agent = async () => {
    for (const to of [untracked, inTest, inEnvironment, within]) await send({ to })
  }
  await using project = await createProject({
    'test/mail.ts': inTest,
    'src/mail.test.ts': inTest,
    'src/fixtures/mail.json': JSON.stringify(inTest),
    'golden-traces/old.jsonl': JSON.stringify(inTest),
    '.env': `MAIL=${inEnvironment}`,
    '.env.local': `MAIL=${inEnvironment}`,
    'src/within.ts': `dad.${within} ${within}.uk`,
  })
  await project.write('src/untracked.ts', untracked)
  const { constants } = await promoted(await record(agent), agent)
  expect(constants).toEqual([])
})

it('takes nothing for a constant that came by the input or an answer', async () => {
  await using _ = await createProject()
  const find = tool('find', {}, async () => ({ mail: 'refunds@shop.example' }))
  const agent: Agent = async ({ text }) => {
    await send({ to: text })
    await send({ to: (await find()).mail })
  }
  const { constants } = await promoted(await record(agent, 'ann@shop.example'), agent)
  expect(constants).toEqual([])
})

it('never decides alone on a constant of data that also came in by the input: it is named, and kept when it is told to', async () => {
  await using _ = await createProject()
  const agent = agentWith(ours)
  const trace = await record(agent, `I wrote to ${ours.refunds}, and nobody answers`)
  const refused = promoted(trace, agent)
  await expect(refused).rejects.toMatchObject({ code: 'GOLDENRUN_PROMOTE_DOES_NOT_REPLAY' })
  await expect(refused).rejects.toThrow(
    `The code itself passes "${ours.refunds}" (src/support.ts:2) to args.to of step 1 and 3 more places, where the trace has a stand-in for ` +
      'something that the run was given. If that was the same value, keep it: --keep-constant args.to, { keepConstants: ["args.to"] }.',
  )
  const { constants = [], trace: golden } = await promoted(trace, agent, { keepConstants: ['args.to'] })
  expect(constants[0]).toMatchObject({ literal: ours.refunds, alsoGiven: true, isKept: true })
  // It is the same value wherever the run has it.
  expect(golden.header.input).toEqual({ text: `I wrote to ${ours.refunds}, and nobody answers` })
  expect(golden.steps[0]?.input).toEqual({ to: ours.refunds, text: `I wrote to ${ours.refunds}, and nobody answers` })
  expect((await replay('kept', agent)).divergences).toEqual([])
  const changed = await replay('kept', agentWith({ ...ours, refunds: 'mallory@evil.example' }))
  expect(verdicts(changed)[0]).toEqual({ cause: 'input', step: 1, paths: ['args.to'] })
})

it('says in the report what to do about a constant that the run was given as well, and both remedies help', async () => {
  await using _ = await createProject()
  const agent = agentWith(ours)
  const trace = await record(agent, `I wrote to ${ours.refunds}`)
  const { id } = trace.header
  await promote(trace, { name: 'quoted' })
  const run = await replay('quoted', agent)
  const report = renderDivergences(run, { color: false, width: 110 }).replace(/ at {8}\S+/, ' at        agent.ts')
  expect(`\n${report}\n`).toBe(`
Failed to replay "quoted": step 1 diverged (input: args).

>   1  tool      send({"to":"withhel@daab.invalid","text":"I wrote to w…) → {"sent":"to withhel@daab.invalid"}

The agent's code passed an e-mail address of its own to args.to, where the trace has an e-mail address that the run was given. Both are redacted, so it is unknown whether they are the same.
    args.to
      expected  "withhel@daab.invalid"
      received  "withhel@daac.invalid"
                these stand-ins replace two different values
    at        agent.ts

If they are the same and the value is in the source, keep it as a constant:
  npx goldenrun promote ${id} --name quoted --keep-constant args.to --force
To leave this path out of the comparison: replay('quoted', agent, { ignore: ['args.to'] })
To accept the new input, record the run again and promote it.
`)
  expect((await replay('quoted', agent, { ignore: ['args.to', 'args.url', 'state.from', 'output.mail'] })).divergences).toEqual([])
})

it('says nothing of constants where one given value became another', async () => {
  await using _ = await createProject()
  const agent: Agent = async ({ text }) => await send({ to: text.split(' ')[0] ?? '' })
  const other: Agent = async ({ text }) => await send({ to: text.split(' ')[1] ?? '' })
  const run = await replay(await record(agent, 'ann@shop.example bob@shop.example'), other)
  const { explanation, advice } = reportDivergences(run)
  expect(explanation).toBe('The agent made this call with different arguments.')
  expect(JSON.stringify(advice)).not.toContain('constant')
})

it('refuses a golden whose agent differs in more than the constant that is kept', async () => {
  await using _ = await createProject()
  const trace = await record(agentWith(ours), `I wrote to ${ours.refunds}`)
  const other: Agent = async (input) => await agentWith({ ...ours, refunds: ours.refunds })({ text: `${input.text}!` })
  await expect(promoted(trace, other, { keepConstants: ['args.to'] })).rejects.toMatchObject({ code: 'GOLDENRUN_PROMOTE_DOES_NOT_REPLAY' })
})

it('keeps the address in a prompt that a customer quotes, in every request that resends it', async () => {
  await using _ = await createProject()
  const server = await listen(async (request, response) => {
    await readText(request)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: 'c1',
        object: 'chat.completion',
        created: 1,
        model: 'gpt-4.1',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Sure.' } }],
      }),
    )
  })
  const promptWith =
    (address: string): Agent =>
    async ({ text }) => {
      const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` })
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        { role: 'system', content: `Answer as support. Our address is ${address}.` },
        { role: 'user', content: text },
      ]
      for (let turn = 0; turn < 2; turn += 1) {
        const { choices } = await client.chat.completions.create({ model: 'gpt-4.1', messages })
        messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
      }
      return messages.length
    }
  const agent = promptWith(ours.refunds)
  const trace = await record(agent, `I wrote to ${ours.refunds} and to ${ours.refunds}`)
  await server.close()
  await promote(trace, { name: 'kept' })
  const red = await replay('kept', agent)
  expect(reportDivergences(red).explanation).toContain('passed an e-mail address of its own to messages[0].content')
  const { trace: golden } = await promoted(trace, agent, { keepConstants: ['messages[*].content'] })
  const run = await replay('kept', agent)
  expect([run.divergences, run.standIns, run.hash]).toEqual([[], [], golden.hash])
  const changed = await replay('kept', promptWith('mallory@evil.example'))
  expect(verdicts(changed)[0]).toEqual({ cause: 'input', step: 1, paths: ['messages[0].content'] })
})
