import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import picocolors from 'picocolors'
import { printable } from '../../trace/printable.ts'
import { writeFileAtomically } from '../../stores/write-file-atomically.ts'
import type { DisputedGolden, GatheredResults } from './gather.ts'
import type { GoldenResult } from './golden-result.ts'

const { bold, dim, green, red } = picocolors

/** The accepted changes, each once with the number of goldens that have it; and the goldens that are not rebased, why, and what to do. */
export function rebaseLines({ rebased, refused, disputed }: GatheredResults): string[] {
  const changes = rebased.flatMap(({ rebase }) => rebase?.changes ?? [])
  const distinct = [...Map.groupBy(changes, ({ key }) => key).values()]
  const taken = distinct.flatMap(([change, ...others]) =>
    change === undefined
      ? []
      : [
          `   ${printable([change.of, change.path].filter((part) => part !== '').join(', '))} ${dim(`(${goldens(others.length + 1)})`)}`,
          ...(change.expected === undefined ? [] : [red(`     - ${printable(change.expected)}`)]),
          ...(change.received === undefined ? [] : [green(`     + ${printable(change.received)}`)]),
        ],
  )
  const title = `${distinct.length} ${distinct.length === 1 ? 'change' : 'changes'} accepted in ${goldens(rebased.length)}:`
  return [
    ...(rebased.length === 0 ? [] : [bold(` ${title}`), ...taken, '']),
    ...(refused.length === 0 ? [] : [bold(` Not rebased, ${goldens(refused.length)}:`), ...refused.flatMap(refusalLines), '']),
    ...(disputed.length === 0
      ? []
      : [bold(` Not rebased because their tests disagree, ${goldens(disputed.length)}:`), ...disputed.flatMap(disputeLines), '']),
  ]
}

/** Writes the rebased goldens and removes the temporary files. */
export async function writeRebased({ rebased }: GatheredResults, results: readonly GoldenResult[]): Promise<void> {
  for (const { rebase } of rebased) {
    if (rebase !== undefined) await writeFileAtomically(rebase.file, await readFile(rebase.rebased, 'utf8'), { force: true })
  }
  for (const { rebase } of results) if (rebase !== undefined) await rm(path.dirname(rebase.rebased), { recursive: true, force: true })
}

function refusalLines({ name, refusal }: GoldenResult): string[] {
  const { reason = '', command } = refusal ?? {}
  return [
    `   ${printable(`${name}: ${reason}`)}`,
    ...(command === undefined ? [] : [dim(`     To record it again: ${printable(command)}`)]),
  ]
}

function disputeLines({ name, tests }: DisputedGolden): string[] {
  return [`   ${printable(name)}`, ...tests.map((test) => `     ${printable(test)}`), dim('     Give each test its own golden.')]
}

function goldens(count: number): string {
  return count === 1 ? '1 golden' : `${count} goldens`
}
