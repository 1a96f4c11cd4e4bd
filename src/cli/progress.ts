import { cutText } from '../divergence/print-value.ts'
import type { Terminal } from './terminal.ts'

/** Tells how far a command is, to a person who watches. */
export interface Progress {
  /** Says what is done now: `12/100 refund-twice`. */
  tell(text: string): void
}

/** Tells how many recordings a store has read of how many, where their index was lost. */
export function tellReading(tell: Progress['tell']): (read: number, of: number) => void {
  return (read, of) => tell(`Reading recordings: ${read}/${of}`)
}

/** Milliseconds after which a command is long. */
const patience = 500

/** Does what may take long. What is short says nothing, nor does what no person watches; at the end nothing is left behind. */
export async function withProgress<Result>(
  { status, width }: Pick<Terminal, 'status' | 'width'>,
  body: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const begin = Date.now()
  let isShown = false
  const end = (): void => {
    if (isShown) status('')
    isShown = false
  }
  const tell = (text: string): void => {
    if (Date.now() - begin < patience) return
    isShown = true
    status(cutText(text, width - 1))
  }
  try {
    return await body({ tell })
  } finally {
    end()
  }
}
