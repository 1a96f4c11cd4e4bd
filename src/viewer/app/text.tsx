import { type Context, createContext, type JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { FindStandIns } from '../../redaction/find-stand-ins.ts'
import { textParts } from '../model/visible.ts'
import type { ListedRun } from '../page-data.ts'
import { formatBytes } from './format.ts'

/** The number of characters of a text that are shown at first, and added with each click. */
const SHOWN = 4000

const MORE = 200_000

/** A text of a recording, rendered as plain text only: stand-ins are marked, and invisible characters are escaped. */
export function Text({ value, limit = SHOWN }: { readonly value: string; readonly limit?: number }): JSX.Element {
  const [shown, show] = useState(limit)
  const left = value.length - shown
  return (
    <>
      <Parts value={left > 0 ? value.slice(0, shown) : value} />
      {left > 0 && (
        <button type="button" class="more" onClick={() => show(shown + MORE)}>
          … {formatBytes(left)} more
        </button>
      )}
    </>
  )
}

/** The tags of a run, and the reasons for which users flagged it. */
export function Chips({ tags, flags }: Pick<ListedRun, 'tags' | 'flags'>): JSX.Element {
  return (
    <>
      {Object.entries(tags).map(([name, value]) => (
        <span class="chip">
          <Text value={`${name}=${value}`} limit={80} />
        </span>
      ))}
      {flags.map((flag) => (
        <span class="chip bad">
          flagged: <Text value={flag} limit={80} />
        </span>
      ))}
    </>
  )
}

/** How the stand-ins of the page's runs are found. */
export const StandInsOfPage: Context<FindStandIns> = createContext<FindStandIns>(() => [])

/** A text with its stand-ins marked. */
export function Parts({ value }: { readonly value: string }): JSX.Element {
  const findStandIns = useContext(StandInsOfPage)
  return (
    <>
      {textParts(value, findStandIns).map(({ text, standIn }) =>
        standIn === undefined ? (
          text
        ) : (
          <span class="stand-in" title={`Redacted: a stand-in for ${nouns[standIn]}`}>
            {text}
          </span>
        ),
      )}
    </>
  )
}

const nouns = { email: 'an e-mail address', card: 'a card number', phone: 'a phone number', secret: 'a secret' } as const
