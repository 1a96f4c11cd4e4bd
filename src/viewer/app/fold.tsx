import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../model/visible.ts'

/** A part of a step that is folded at first. Its contents are rendered when it is opened. */
export function Fold({ title, note, isOpen = false, children }: FoldProps): JSX.Element {
  const [open, setOpen] = useState(isOpen)
  return (
    <section class="part">
      <h3>
        <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Title title={title} note={note} />
        </button>
      </h3>
      {open && <div class="inside">{children()}</div>}
    </section>
  )
}

interface PartProps {
  readonly title: string
  readonly note?: string | undefined
}

interface FoldProps extends PartProps {
  /** Default: false. */
  readonly isOpen?: boolean
  children(): ComponentChildren
}

function Title({ title, note }: PartProps): JSX.Element {
  return (
    <>
      {visible(title)} {note !== undefined && <span class="muted">{visible(note)}</span>}
    </>
  )
}

/** A part of a step that is always open. */
export function Part({ title, note, children }: PartProps & { readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="part">
      <h3>
        <Title title={title} note={note} />
      </h3>
      <div class="inside">{children}</div>
    </section>
  )
}
