import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { otherKeys, targets } from './keys.ts'

/** The list of keys. */
export function Help({ onClose }: { onClose(): void }): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => ref.current?.showModal(), [])
  const rows = [...targets.map(({ keys, words }) => [keys.map(nameOf).join(', '), words] as const), ...otherKeys]
  return (
    <dialog ref={ref} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <table class="grid">
        <tbody>
          {rows.map(([keys, words]) => (
            <tr>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  )
}

const arrows: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowRight: '→', ArrowUp: '↑', ArrowLeft: '←' }

function nameOf(key: string): string {
  return arrows[key] ?? key
}
