import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import picocolors from 'picocolors'
import { printable } from '../../trace/printable.ts'
import { writeFileAtomically } from '../../stores/write-file-atomically.ts'
import type { GoldenResult, PendingRebase } from '../golden-result.ts'

const { bold, dim, green, red } = picocolors

/** What is taken over, each change once with the number of goldens that carry it; and what is not rebased, why, and what to do. */
export function rebaseLines(results: readonly GoldenResult[]): string[] {
  const pending = rebasesOf(results)
  const refused = results.filter(({ refusal }) => refusal !== undefined)
  const changes = pending.flatMap((rebase) => rebase.changes)
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
  const title = `${distinct.length} ${distinct.length === 1 ? 'change' : 'changes'}, taken over into ${goldens(pending.length)}:`
  return [
    ...(pending.length === 0 ? [] : [bold(` ${title}`), ...taken, '']),
    ...(refused.length === 0 ? [] : [bold(` Not rebased, ${goldens(refused.length)}:`), ...refused.flatMap(refusalLines), '']),
  ]
}

/** Puts the rebased goldens in their places. */
export async function writeRebased(results: readonly GoldenResult[]): Promise<void> {
  for (const { file, rebased } of rebasesOf(results)) {
    await writeFileAtomically(file, await readFile(rebased, 'utf8'), { force: true })
    await rm(path.dirname(rebased), { recursive: true, force: true })
  }
}

function rebasesOf(results: readonly GoldenResult[]): PendingRebase[] {
  return results.flatMap(({ rebase }) => (rebase === undefined ? [] : [rebase]))
}

function refusalLines({ name, refusal }: GoldenResult): string[] {
  const { reason = '', command } = refusal ?? {}
  return [`   ${printable(`${name}: ${reason}`)}`, ...(command === undefined ? [] : [dim(`     To record it anew: ${printable(command)}`)])]
}

function goldens(count: number): string {
  return count === 1 ? '1 golden' : `${count} goldens`
}
