import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runNode } from './run-command.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

const program = fileURLToPath(new URL('../record/stores/store-program.ts', import.meta.url))

interface Way {
  readonly counted: Readonly<Record<string, number>>
  readonly warning: RegExp
}

/** What the recorder counts of its eight runs where a store misbehaves, and what it says. */
const ways: Readonly<Record<string, Way>> = {
  'cannot be opened': { counted: { failed: 8 }, warning: /could not record a run of "agent": Error: the store is down/ },
  'throws in the middle': { counted: { failed: 8 }, warning: /could not finish the recording .* the store is down/ },
  'throws at the end': { counted: { failed: 8 }, warning: /could not finish the recording .* the store is down/ },
  'gives promises that reject': { counted: { failed: 8 }, warning: /"\w+" of the store returned a promise/ },
  'asks the world and calls tools': { counted: { recorded: 8 }, warning: /^$/ },
  'never ends its flush': { counted: { failed: 8 }, warning: /could not write its buffered rows: .* limits\.closeMilliseconds/ },
  'reports each recording as lost later': { counted: { failed: 8 }, warning: /could not keep the recording .* no such bucket/ },
  'empties the rows that it is given': { counted: { recorded: 8 }, warning: /^$/ },
  'runs agents with its own recorder': { counted: { begun: 16, recorded: 16 }, warning: /^$/ },
}

const alone = runProgram('none')

/** Each way by its name. */
export const misbehavingCases: readonly [string, Way][] = Object.entries(ways)

/** Tests that agents do not notice, and that each run is counted. */
export function testMisbehaving(cases: readonly (typeof misbehavingCases)[number][]): void {
  it.each(cases)(
    'ends with the agents’ results and each run counted, where a store %s',
    { timeout: 60_000 },
    async (way, { counted, warning }) => {
      const { status, results, stats, warnings } = await runProgram(way)
      expect({ status, results }).toEqual({ status: 3, results: (await alone).results })
      expect(results).toContain('no luck with 7')
      expect(stats).toEqual({
        begun: 8,
        recorded: 0,
        failed: 0,
        lost: 0,
        cut: 0,
        sampledOut: 0,
        unindexed: 0,
        muted: 0,
        active: 0,
        watching: 0,
        writing: 0,
        flagged: 0,
        waitingBytes: 0,
        ...counted,
      })
      expect(warnings).toMatch(warning)
    },
  )
}

async function runProgram(way: string): Promise<{ status: number; results: string; stats: unknown; warnings: string }> {
  await using directory = await createTemporaryDirectory()
  const { status, stdout, stderr } = await runNode(directory.path, [program, way])
  const lines = stderr.split('\n')
  const stats = lines.find((line) => line.startsWith('stats '))?.slice(6) ?? '{}'
  return {
    status,
    results: stdout,
    stats: JSON.parse(stats),
    warnings: lines.filter((line) => line.includes('Warning: goldenrun')).join('\n'),
  }
}
