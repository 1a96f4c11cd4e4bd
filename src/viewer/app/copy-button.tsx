import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../model/visible.ts'

/** A button that copies a text. */
export function CopyButton({ text, label, children = 'Copy' }: CopyButtonProps): JSX.Element {
  const [state, tell] = useState<'ready' | 'copied' | 'failed'>('ready')
  const onClick = (): void => {
    void copy(text).then(
      () => tell('copied'),
      () => tell('failed'),
    )
  }
  return (
    <button type="button" class="copy" aria-label={visible(label)} title={visible(label)} onClick={onClick} onBlur={() => tell('ready')}>
      {state === 'ready' ? children : state === 'copied' ? 'Copied' : 'Cannot copy'}
    </button>
  )
}

interface CopyButtonProps {
  readonly text: string
  /** A description of the copied text, for screen readers. */
  readonly label: string
  readonly children?: string
}

/** The clipboard is available on `https:` and `file:` pages, but not in every frame. */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
