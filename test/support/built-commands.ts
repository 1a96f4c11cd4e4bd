import { expect, it } from 'vitest'
import { recordCancel, recordRefundTwice } from './recordings.ts'
import { spawnCommand } from './run-command.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

const agent = 'export async function supportAgent(input) {\n  return { reply: input.ticket }\n}\n'

interface Command {
  readonly args: readonly string[]
  readonly prints: string
  readonly status?: number
}

/** Each command as its process is started, in a project with two recordings: what it prints, and its exit status. */
export const commands: Readonly<Record<string, Command>> = {
  init: { args: ['--yes', '--runner', 'vitest', '--agent', './agent.mjs#supportAgent'], prints: 'created  goldenrun.config.' },
  record: { args: ['--whole-process', '--', process.execPath, '--print', '40 + 2'], prints: '42\n' },
  list: { args: [], prints: 'Recordings in .goldenrun/runs:\n  id ' },
  show: { args: ['latest'], prints: 'refund_order({"id":"ord_1","amount":4200})' },
  view: { args: ['latest'], prints: 'Wrote .goldenrun/pages/' },
  promote: { args: ['latest', '--name', 'refund', '--yes'], prints: 'Wrote golden-traces/refund.jsonl.\n' },
  replay: { args: ['latest'], prints: '1 trace replayed: 1 could not run.\n', status: 2 },
  inspect: { args: ['latest'], prints: 'is a run of the agent "support", and there is no goldenrun.config.ts', status: 2 },
  debug: { args: ['latest', '--at', '1'], prints: 'is a run of the agent "support", and there is no goldenrun.config.ts', status: 2 },
  fork: { args: ['latest', '--at', '1'], prints: 'is a run of the agent "support", and there is no goldenrun.config.ts', status: 2 },
  verify: { args: ['latest'], prints: ': could not run', status: 2 },
  similar: { args: ['latest', '--all'], prints: 'ALIKE' },
  diff: { args: ['latest', 'latest'], prints: '' },
  check: { args: [], prints: '0 golden traces checked' },
  flag: { args: ['latest', 'the customer wrote'], prints: ': the customer wrote\n' },
  stats: { args: [], prints: 'support' },
  gc: { args: ['--successful', '0ms'], prints: 'would be removed' },
  forget: { args: ['--tag', 'user=42', '--dry-run'], prints: 'Would remove 1 run.' },
  scrub: { args: ['store', '--dry-run'], prints: '2 recordings searched.' },
  ship: { args: ['--to', 'elsewhere'], prints: 's3://', status: 2 },
  costs: {
    args: ['--runs-per-day', '1000', '--gigabyte-month', '1', '--thousand-writes', '1', '--thousand-reads', '1'],
    prints: 'Object storage needs the package "hyparquet-writer"',
    status: 2,
  },
}

/** Each command by its name. */
export const builtCommandsCases: readonly [string, Command][] = Object.entries(commands)

/** Tests that their processes start. */
export function testBuiltCommands(cases: readonly (typeof builtCommandsCases)[number][]): void {
  it.each(cases)('starts %s from the build', async (name, { args, prints, status = 0 }) => {
    await using project = await createTemporaryDirectory()
    project.enter()
    await project.write('agent.mjs', agent)
    await recordCancel('.goldenrun/runs')
    await recordRefundTwice('.goldenrun/runs')
    const result = await spawnCommand(project.path, [name, ...args])
    expect(`${result.stdout}${result.stderr}`).toContain(prints)
    expect(result.status, result.stderr).toBe(status)
  })
}
