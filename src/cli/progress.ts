import { cutText } from '../divergence/print-value.ts'
import type { Terminal } from './terminal.ts'

/** Tells how far a command is, to a person who watches. */
export interface Progress extends Disposable {
  /** Says what is done now: `12/100 refund-twice`. */
  tell(text: string): void
  /** Leaves nothing behind. */
  end(): void
}

/** Milliseconds after which a command is long. */
const patience = 500

/** What is short says nothing, nor does what no person watches. Disposing it ends it. */
export function startProgress({ status, width }: Pick<Terminal, 'status' | 'width'>): Progress {
  const begin = Date.now()
  let isShown = false
  const end = (): void => {
    if (isShown) status('')
    isShown = false
  }
  return {
    tell(text) {
      if (Date.now() - begin < patience) return
      isShown = true
      status(cutText(text, width - 1))
    },
    end,
    [Symbol.dispose]: end,
  }
}
