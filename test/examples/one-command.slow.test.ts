import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORDERS } from '../../examples/world/payments.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { commandsOf, missingLines } from '../docs/commands.ts'
import { readPage, REPOSITORY } from '../docs/pages.ts'
import { buildPackage, linkPackages } from '../support/build-package.ts'
import { createJestWorkspace } from '../support/jest-workspace.ts'
import { runLine } from '../support/packed-project.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { createVitestWorkspace } from '../support/vitest-workspace.ts'

const { text, blocks } = readPage('examples/README.md')
const commands = blocks.flatMap((block, index) => commandsOf(block, blocks[index + 1]))
const [lamp, chair, arm] = ORDERS

/** What each command printed, by the example that it runs. */
const printed = new Map<string, string>()

let directory: TemporaryDirectory

// A copy of the examples beside the package as it is: what is in `dist`, another test may be building.
beforeAll(async () => {
  directory = await createTemporaryDirectory()
  await cp(path.join(REPOSITORY, 'examples'), directory.resolve('examples'), {
    recursive: true,
    filter: (file) => path.basename(file) !== '.goldenrun',
  })
  await writeFile(directory.resolve('package.json'), '{ "name": "examples", "private": true, "type": "module" }\n')
  await cp(await buildPackage(), directory.resolve('node_modules/goldenrun'), { recursive: true })
  const installed = await readdir(path.join(REPOSITORY, 'node_modules'))
  await linkPackages(
    directory.resolve('node_modules'),
    installed.filter((name) => name !== 'goldenrun' && !name.startsWith('.package')),
  )
}, 120_000)

afterAll(() => directory[Symbol.asyncDispose]())

it('says of each example in the index what it is, and how it runs', async () => {
  const entries = await readdir(path.join(REPOSITORY, 'examples'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const index = [...text.matchAll(/^\| \[`([^`]+)\/`\]/gm)].map(([, name]) => name)
  expect(new Set(index)).toEqual(new Set(folders))
  const sections = [...text.matchAll(/^## `([^`]+)\/`/gm)].map(([, name]) => name)
  expect(sections).toEqual(index)
})

for (const { place, line, status, printed: shown } of commands) {
  it(`${place}: ${line}`, async () => {
    const { status: ended, output } = await runLine(line, directory.path, {})
    const plain = withoutTimes(output)
    printed.set(/examples\/([\w-]+)/.exec(line)?.[1] ?? line, plain)
    expect(ended, output).toBe(status)
    expect(shown).not.toBe('')
    expect(missingLines(plain, shown), output).toEqual([])
  }, 120_000)
}

describe('what the world saw', () => {
  it('was the tool when it was recorded, and nothing when it was replayed', () => {
    expect(printed.get('tool')).toContain(`Recorded: the function ran 2 times, and the shop cancelled ${chair?.id}.`)
    expect(printed.get('tool')).toContain('Replayed: the function ran 0 times.')
    expect(printed.get('tool')).toContain(`${lamp?.id} is refused: ${lamp?.id} is ${lamp?.status}, only a packed order can be cancelled.`)
  })

  it('was each node of the graph, whose state has what the shop knows', () => {
    const states = (printed.get('graph') ?? '').split('\n').flatMap((line) => /^([\w-]+) +(\{.*\})$/.exec(line)?.slice(1, 3) ?? [])
    expect(states.filter((_, index) => index % 2 === 0)).toEqual(['read', 'look-up', 'answer'])
    expect(JSON.parse(states[3] ?? '')).toMatchObject({ orderId: chair?.id, order: chair })
    expect(printed.get('graph')).toContain('Recorded with 2 model calls. Replayed with 0, and 0 divergences.')
  })

  it('was one cancelled order, although the agent died after the first', () => {
    const answers = [lamp, chair, arm].map((order) => `${order?.id}: ${order?.status === 'packed' ? 200 : 409}`)
    expect(printed.get('checkpoint-store')).toContain(`Resumed from its own store: ${answers.join(', ')}. The shop cancelled ${chair?.id}.`)
  })

  it('was two refunds of the lamp', () => {
    expect(printed.get('support-agent')).toContain(`2 refunds booked for ${lamp?.id}`)
  })
})

it('compares forks with the recorded run at the step that was edited', () => {
  const lines = (printed.get('time-travel') ?? '').split('\n')
  expect(lines.filter((line) => line.includes('differs at step 2 (outcome)'))).toHaveLength(2)
})

it('makes one span for each step, in the span of its run', () => {
  const spans = (printed.get('telemetry') ?? '').split('\n').slice(0, -2)
  const depths = spans.map((line) => [line.search(/\S/) / 2, /replay\.step=(\d)/.exec(line)?.[1]])
  expect(depths.filter(([, step]) => step !== undefined)).toEqual([
    [2, '1'],
    [3, '2'],
    [2, '3'],
  ])
})

describe('the harness', () => {
  it('has the goldens that its script records', async () => {
    await using folder = await createTemporaryDirectory()
    await mkdir(folder.resolve('golden-traces'))
    const { status, output } = await runLine(`npm exec -- node examples/harness/record.ts "${folder.path}"`, directory.path, {})
    expect({ status, output }).toEqual({
      status: 0,
      output: `refund-approved: ${lamp?.id} is refunded.\nrefund-refused: ${chair?.id} is with a colleague.\nThe shop refunded ${lamp?.id}.\n`,
    })
    for (const name of ['refund-approved', 'refund-refused']) {
      const file = `golden-traces/${name}.jsonl`
      const recorded = await readTrace(folder.resolve(file))
      const committed = await readTrace(path.join(REPOSITORY, 'examples/harness', file))
      expect(didOf(recorded)).toEqual(didOf(committed))
    }
  }, 60_000)

  const doubled = (agent: string): string => {
    expect(agent).toContain('await refundOrder(args)')
    return agent.replace('await refundOrder(args)', 'await refundOrder({ ...args, amount: args.amount * 2 })')
  }
  const red = ['Failed to replay "refund-approved": step 4 diverged (input', 'toHaveExecutedAsApproved cannot decide']

  it('is red in Vitest if the agent refunds another amount', async () => {
    await using workspace = await createVitestWorkspace()
    const project = await workspace.project(await harnessFiles(doubled))
    const { status, output } = await project.vitest(['run'])
    expect(status).toBe(1)
    for (const line of [...red, 'Tests  2 failed | 3 passed (5)']) expect(output).toContain(line)
  }, 60_000)

  it('is red in Jest if the agent refunds another amount', async () => {
    await using workspace = await createJestWorkspace()
    const files = { ...(await harnessFiles(doubled)), 'package.json': '{ "type": "module" }' }
    const { status, stderr } = await workspace.jest(files, { node: ['--experimental-vm-modules'] })
    expect(status).toBe(1)
    for (const line of [...red, 'Tests:       2 failed, 3 passed, 5 total']) expect(stderr).toContain(line)
  }, 60_000)

  const unapproved = [
    'Expected "refund-approved" to execute refund_order as approved.',
    '    step 4 executed refund_order({"order_id":"ord_1001","amount":4900}) without approval',
    `No tool, external or checkpoint named "nobody" is about refund_order. To name the one that is: toHaveExecutedAsApproved('refund_order', { approval: … })`,
    'Expected "refund-refused" to execute refund_order as approved, but it was neither approved nor executed.',
  ]
  const named = (file: string): string => file.replace("Approved('refund_order')", "Approved('refund_order', { approval: 'nobody' })")

  it('is red in Vitest if nobody approved', async () => {
    await using workspace = await createVitestWorkspace()
    const files = await harnessFiles()
    const project = await workspace.project({ ...files, 'harness.vitest.js': named(files['harness.vitest.js'] ?? '') })
    const { status, output } = await project.vitest(['run'])
    expect(status).toBe(1)
    for (const line of unapproved) expect(output).toContain(line)
  }, 60_000)

  it('is red in Jest if nobody approved', async () => {
    await using workspace = await createJestWorkspace()
    const files = await harnessFiles()
    const changed = { ...files, 'harness.jest.js': named(files['harness.jest.js'] ?? ''), 'package.json': '{ "type": "module" }' }
    const { status, stderr } = await workspace.jest(changed, { node: ['--experimental-vm-modules'] })
    expect(status).toBe(1)
    for (const line of unapproved) expect(stderr).toContain(line)
  }, 60_000)
})

/** What a run did, without the answers of the shop, which have a date. */
function didOf({ steps, end }: Trace): unknown {
  return { calls: steps.map(({ boundary, name, input }) => ({ boundary, name, input })), output: end?.output }
}

async function harnessFiles(change: (agent: string) => string = (agent) => agent): Promise<Record<string, string>> {
  const read = (file: string): Promise<string> => readFile(path.join(REPOSITORY, 'examples/harness', file), 'utf8')
  const names = ['harness.vitest.js', 'harness.jest.js', 'vitest.config.ts', 'jest.config.js']
  const files = [...names, 'golden-traces/refund-approved.jsonl', 'golden-traces/refund-refused.jsonl']
  const agent = await read('agent.js')
  return { 'agent.js': change(agent), ...Object.fromEntries(await Promise.all(files.map(async (file) => [file, await read(file)]))) }
}

function withoutTimes(output: string): string {
  return stripVTControlCharacters(output)
    .replaceAll(/ \(\d+ ms\)$/gm, '')
    .replaceAll(/ \d+ms$/gm, '')
    .replaceAll(/ {2}\d+ms$/gm, '')
}
