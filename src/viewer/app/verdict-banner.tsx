import type { JSX } from 'preact'
import type { PageComparison, PageDivergence, PageVerdict } from '../page-data.ts'
import { printValue } from '../../divergence/print-value.ts'
import { CopyButton } from './copy-button.tsx'
import { Differences, type SideNames } from './difference.tsx'
import { counted } from './format.ts'
import { visible } from '../model/visible.ts'
import { Parts, Text } from './text.tsx'

interface VerdictBannerProps {
  readonly comparison: PageComparison
  readonly names: SideNames
  /** Selects the first divergence. */
  onFirst(): void
}

/** The verdict in brief: the first difference, its cause, and what to do. */
export function VerdictBanner({ comparison: { verdict }, names, onFirst }: VerdictBannerProps): JSX.Element {
  const { status, headline, explanation, divergences, notes, nearest, lines, message } = verdict
  const [first, ...others] = divergences
  const isGood = ['held', 'same', 'passed'].includes(status)
  return (
    <section class={`verdict ${isGood ? 'good' : 'bad'}`} aria-label="Verdict">
      <h2>
        <span class={`badge ${isGood ? 'good' : 'bad'}`}>{status}</span> <Text value={headline} limit={600} />
      </h2>
      {explanation !== '' && (
        <p class="explanation">
          <Text value={explanation} limit={1000} />
        </p>
      )}
      {message !== undefined && (
        <pre class="wire">
          <Text value={withoutColors(message)} />
        </pre>
      )}
      {lines !== undefined && (first?.differences.length ?? 0) === 0 && (
        <Differences differences={[{ path: '', expected: lines.expected, received: lines.received }]} names={names} />
      )}
      {first !== undefined && <DivergenceView divergence={first} names={names} around={50} />}
      <div class="actions">
        {first !== undefined && (
          <button type="button" class="primary" onClick={onFirst}>
            Go to the divergence
          </button>
        )}
        {others.length > 0 && <span class="muted">{counted(others.length, 'further difference')} may follow from it</span>}
      </div>
      <AdviceList verdict={verdict} />
      {nearest.length > 0 && (
        <ul class="nearest">
          {nearest.map(({ step, call, remark }) => (
            <li>
              near step {step}: <code>{visible(call.slice(0, 200))}</code> <span class="muted">{visible(remark.slice(0, 200))}</span>
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p class="muted">
          <Text value={note} limit={600} />
        </p>
      ))}
    </section>
  )
}

interface DivergenceProps {
  readonly divergence: PageDivergence
  readonly names: SideNames
  readonly around?: number
}

/** The differences at a divergence. */
export function DivergenceView({ divergence, names, around }: DivergenceProps): JSX.Element {
  const { differences, site } = divergence
  return (
    <>
      {differences.length > 0 && <Differences differences={differences} names={names} around={around} />}
      {site !== undefined && (
        <p class="site">
          called at{' '}
          <code>
            <Parts value={`${site.file}:${site.line}:${site.column}`} />
          </code>{' '}
          <CopyButton text={`${site.file}:${site.line}:${site.column}`} label="Copy the place in the code" />
        </p>
      )}
    </>
  )
}

function AdviceList({ verdict: { advice } }: { readonly verdict: PageVerdict }): JSX.Element | null {
  if (advice.length === 0) return null
  return (
    <ul class="advice">
      {advice.map(({ words, command }) => (
        <li>
          <span>
            <Text value={words} limit={600} />
          </span>
          {command !== undefined && (
            <span class="command">
              <code>
                <Text value={command} limit={2000} />
              </code>
              <CopyButton text={command} label={`Copy the command ${printValue(command, 80)}`} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Removes the colours of a matcher's message, which are meant for a terminal. */
function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours are control sequences
  return text.replaceAll(/\u001B\[[\d;]*m/g, '')
}
