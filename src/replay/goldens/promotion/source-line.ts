import { spawnSync } from 'node:child_process'
import { asOwnWork } from '../../../boundaries/contact/make-contact.ts'

/** A line of source. */
export interface SourceLine {
  /** From the working directory. */
  readonly file: string
  readonly line: number
}

/** Files whose values are made up, recorded or secret: what stands there is no constant of the agent's. */
const noSource = [
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|mocks?|__mocks__|__snapshots__|golden-traces|\.goldenrun)\//i,
  /\.(?:test|spec|snap|fixture|runlog|jsonl)(?:\.|$)/i,
  /(?:^|\/)\.env/i,
]

/** The first line of git-tracked source in which a text stands as a word of its own; undefined where there is none, or no git. */
export function sourceLineOf(text: string): SourceLine | undefined {
  // By standard input: what stands on a command line can be read by every process.
  const search = ['grep', '-n', '-I', '-F', '--null', '-f', '-', '--', ':/']
  const { stdout, status } = asOwnWork(() => spawnSync('git', search, { input: text, encoding: 'utf8' }))
  if (status !== 0) return undefined
  for (const found of stdout.split('\n')) {
    const [file = '', line = '', content = ''] = found.split('\0')
    if (holdsWord(content, text) && !noSource.some((pattern) => pattern.test(file))) return { file, line: Number(line) }
  }
  return undefined
}

function holdsWord(content: string, text: string): boolean {
  for (let start = content.indexOf(text); start !== -1; start = content.indexOf(text, start + 1)) {
    const isStart = start === 0 || !/[\w.+%@-]/.test(content[start - 1] ?? '')
    if (isStart && !/^(?:[\w@]|[.-]\w)/.test(content.slice(start + text.length))) return true
  }
  return false
}
