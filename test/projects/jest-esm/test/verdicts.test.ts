import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { replay } from 'goldenrun/jest'
import { supportAgent } from '../src/agent.ts'

// The same file in every project, whatever its runner.
test('comes to the verdicts of every other runner', async () => {
  const verdicts: object[] = []
  for (const name of ['cancel-unshipped', 'unknown-order', 'where-is-it']) {
    const run = await replay(name, supportAgent)
    const causes = run.divergences.map(({ cause, step }) => ({ cause, step }))
    verdicts.push({
      name,
      hash: run.hash,
      status: run.outcome.status,
      causes,
      report: reportOf(() => expect(run).toReplayWithoutDivergence()),
    })
  }
  expect(verdicts).toEqual(JSON.parse(await readFile('verdicts.json', 'utf8')))
})

function reportOf(assert: () => void): string[] {
  try {
    assert()
    return []
  } catch (error) {
    // Jest needs a character that nobody sees, or it reads our "at" as the first line of a stack. What to do next names the runner.
    const [report = ''] = (error as Error).message.replaceAll('\u2060', '').split('\n\nTo accept')
    return report.split('\n')
  }
}
