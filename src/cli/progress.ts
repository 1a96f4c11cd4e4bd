import { cutText } from '../divergence/print-value.ts'
import { realTimers } from '../node/real-timers.ts'
import type { Terminal } from './terminal.ts'

/** Shows a command's progress on a terminal. */
export interface Progress {
  /** Shows the current item: `12/100 refund-twice`. */
  tell(text: string): void
}

/** Shows how many recordings a store has read while it rebuilds a lost index. */
export function tellReading(tell: Progress['tell']): (read: number, of: number) => void {
  return (read, of) => tell(`Reading recordings: ${read}/${of}`)
}

/** Milliseconds after which progress is shown. */
const patience = 500

/** Runs work and shows its progress. Short work, and output that is not a terminal, show none. The line is cleared at the end. */
export async function withProgress<Result>(
  { status, width }: Pick<Terminal, 'status' | 'width'>,
  body: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const begin = Date.now()
  let [latest, isShown] = ['', false]
  const show = (isLong = Date.now() - begin >= patience): void => {
    if (!isLong || latest === '') return
    isShown = true
    status(cutText(latest, width - 1))
  }
  const tell = (text: string): void => {
    latest = text
    show()
  }
  const timer = realTimers.setTimeout(() => show(true), patience)
  try {
    return await body({ tell })
  } finally {
    realTimers.clearTimeout(timer)
    if (isShown) status('')
  }
}
