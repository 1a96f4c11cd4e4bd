import type { JSX } from 'preact'
import { visible } from '../model/visible.ts'
import { counted } from './format.ts'

interface ToolbarProps {
  readonly query: string
  /** The number of lines that the search found. */
  readonly found: number | undefined
  readonly search: { readonly current: HTMLInputElement | null }
  readonly list: string | undefined
  /** The names of the runs that the first is compared with. */
  readonly others: readonly string[]
  readonly other: number
  onOther(index: number): void
  onQuery(query: string): void
  /** Acts as if the key was pressed. */
  onKey(key: string): void
  onTheme(): void
  onHelp(): void
}

const buttons = [
  ['k', '‹', 'Previous step'],
  ['j', '›', 'Next step'],
] as const

/** The search, and buttons for people who do not use keys. */
export function Toolbar({
  query,
  found,
  search,
  list,
  others,
  other,
  onOther,
  onQuery,
  onKey,
  onTheme,
  onHelp,
}: ToolbarProps): JSX.Element {
  return (
    <div class="toolbar" role="search">
      {list !== undefined && (
        <a class="button" href={list}>
          All runs
        </a>
      )}
      {others.length > 1 && (
        <select aria-label="Compared with" value={String(other)} onChange={(event) => onOther(Number(event.currentTarget.value))}>
          {others.map((name, index) => (
            <option value={String(index)}>{visible(name)}</option>
          ))}
        </select>
      )}
      <input
        type="search"
        ref={search}
        value={query}
        placeholder="Search everything"
        aria-label="Search everything"
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
      {found !== undefined && <span class="muted count">{counted(found, 'place')}</span>}
      {buttons.map(([key, sign, label]) => (
        <button type="button" aria-label={label} title={`${label} (${key})`} onClick={() => onKey(key)}>
          {sign}
        </button>
      ))}
      <button type="button" aria-label="Dark or light" title="Dark or light (t)" onClick={onTheme}>
        ◐
      </button>
      <button type="button" aria-label="Keys" title="Keys (?)" onClick={onHelp}>
        ?
      </button>
    </div>
  )
}
