import { spawnSync } from 'node:child_process'
import { asOwnWork } from '../../../boundaries/contact/make-contact.ts'

/** A line of source. */
export interface SourceLine {
  /** Relative to the working directory. */
  readonly file: string
  readonly line: number
}

/** Files with made-up, recorded or secret values, which are not constants of the agent. */
const noSource = [
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|mocks?|__mocks__|__snapshots__|golden-traces|\.goldenrun)\//i,
  /\.(?:test|spec|snap|fixture|runlog|jsonl)(?:\.|$)/i,
  /(?:^|\/)\.env/i,
]

/** The lines of git-tracked source that contain a text as a whole word; none without git. */
export function sourceLinesOf(text: string): SourceLine[] {
  // Passed by standard input, because every process can read command lines.
  const search = ['grep', '-n', '-I', '-F', '--null', '-f', '-', '--', ':/']
  const { stdout, status } = asOwnWork(() => spawnSync('git', search, { input: text, encoding: 'utf8' }))
  if (status !== 0) return []
  return stdout.split('\n').flatMap((found) => {
    const [file = '', line = '', content = ''] = found.split('\0')
    return holdsWord(content, text) && !noSource.some((pattern) => pattern.test(file)) ? [{ file, line: Number(line) }] : []
  })
}

function holdsWord(content: string, text: string): boolean {
  for (let start = content.indexOf(text); start !== -1; start = content.indexOf(text, start + 1)) {
    const isStart = start === 0 || !/[\w.+%@-]/.test(content[start - 1] ?? '')
    if (isStart && !/^(?:[\w@]|[.-]\w)/.test(content.slice(start + text.length))) return true
  }
  return false
}
