/**
 * Records the goldens of a project of `test/projects` anew, from its own agent and with the packed package, against a model on loopback:
 * `node test/projects/record-goldens.ts vitest-5`, of a package of it `node test/projects/record-goldens.ts monorepo packages/web`.
 */
import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { playList } from '../../examples/world/play-list.ts'
import { startProvider } from '../../examples/world/provider.ts'
import type { Turn } from '../../examples/world/turn.ts'
import { packPackage } from '../support/pack-package.ts'
import { createPackedProject, type ProjectEdit } from '../support/packed-project.ts'

interface GoldenToRecord {
  readonly name: string
  readonly description: string
  readonly ticket: string
  readonly turns: readonly Turn[]
  /** A place of the package that is another when it is recorded: the golden diverges from what is committed. */
  readonly edit?: ProjectEdit
}

const goldens: readonly GoldenToRecord[] = [
  {
    name: 'cancel-unshipped',
    description: 'An order that has not shipped is cancelled',
    ticket: 'Please cancel ord_2.',
    turns: [
      { toolCalls: [{ name: 'get_order', args: { order_id: 'ord_2' } }] },
      { toolCalls: [{ name: 'cancel_order', args: { order_id: 'ord_2' } }] },
      { text: 'Your office chair is cancelled, and you are not charged.' },
    ],
  },
  {
    name: 'unknown-order',
    description: 'An order that nobody ordered is not found',
    ticket: 'Where is ord_9?',
    turns: [{ toolCalls: [{ name: 'get_order', args: { order_id: 'ord_9' } }] }, { text: 'I cannot find ord_9, sorry.' }],
  },
  {
    name: 'where-is-it',
    description: 'A customer is told that the order has shipped',
    ticket: 'Where is ord_1?',
    turns: [{ toolCalls: [{ name: 'get_order', args: { order_id: 'ord_1' } }] }, { text: 'Your desk lamp is on its way.' }],
    edit: { file: 'src/prompt.ts', from: 'two friendly', to: 'two formal' },
  },
]

const recordTicket = `import { createRecorder } from 'goldenrun'
import { supportAgent } from './src/agent.ts'

const recorder = createRecorder({ store: '.goldenrun/runs' })
await recorder.run({ agent: 'support', input: { ticket: process.argv[2] } }, supportAgent)
await recorder.close()
`

const [name, folder = '.'] = process.argv.slice(2)
if (name === undefined) throw new Error('Name a project: node test/projects/record-goldens.ts vitest-5')

await using packed = await packPackage()
await using project = await createPackedProject(name, packed.tarball)
for (const golden of goldens) {
  await project.restore()
  await writeFile(path.join(project.folder, folder, 'record-ticket.ts'), recordTicket)
  if (golden.edit !== undefined) await project.edit({ ...golden.edit, file: path.join(folder, golden.edit.file) })
  await using provider = await startProvider({ script: playList(golden.turns) })
  const keys = {
    OPENAI_API_KEY: 'sk-local',
    OPENAI_BASE_URL: provider.openaiBaseUrl,
    ANTHROPIC_API_KEY: 'sk-local',
    ANTHROPIC_BASE_URL: provider.anthropicBaseUrl,
  }
  await runOrThrow(`node record-ticket.ts "${golden.ticket}"`, keys)
  await runOrThrow(`npx goldenrun promote latest --name ${golden.name} --describe "${golden.description}" --yes --force`)
  const file = path.join(folder, 'golden-traces', `${golden.name}.jsonl`)
  await cp(path.join(project.folder, file), path.join(project.committed, file))
  await rm(path.join(project.folder, folder, '.goldenrun'), { recursive: true })
}

async function runOrThrow(line: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { status, output } = await project.run(`cd ${folder} && ${line}`, env)
  console.log(output)
  if (status !== 0) throw new Error(`${line} ended with ${String(status)}.`)
}
