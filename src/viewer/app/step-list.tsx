import { Component, type JSX } from 'preact'
import type { Found } from '../model/search.ts'
import { describeEntry } from '../model/describe-entry.ts'
import type { Line } from '../model/lines.ts'
import type { Entry, ViewedRun } from '../model/viewed-run.ts'
import { formatDuration } from './format.ts'
import { Parts } from './text.tsx'

interface StepListProps {
  readonly lines: readonly Line[]
  readonly run: ViewedRun
  readonly other: ViewedRun | undefined
  readonly selected: string
  /** The results of a search, by the key of the line; undefined if there is no search. */
  readonly found: ReadonlyMap<string, Found> | undefined
  onSelect(key: string): void
}

/** The steps as a tree, with checkpoints and notes between them. Two runs are shown side by side. */
export function StepList({ lines, run, other, selected, found, onSelect }: StepListProps): JSX.Element {
  const shown = found === undefined ? lines : lines.filter(({ key }) => found.has(key))
  return (
    <nav class={`list ${other === undefined ? '' : 'both'}`} aria-label="Steps" id="steps">
      {found !== undefined && shown.length === 0 && <p class="muted nothing-found">Nothing found.</p>}
      <ol>
        {shown.map((line) => (
          <LineView
            key={line.key}
            line={line}
            run={run}
            other={other}
            isSelected={line.key === selected}
            found={found?.get(line.key)}
            onSelect={onSelect}
          />
        ))}
      </ol>
    </nav>
  )
}

interface LineProps extends Pick<StepListProps, 'run' | 'other' | 'onSelect'> {
  readonly line: Line
  readonly isSelected: boolean
  readonly found: Found | undefined
}

/** A line. A run may have thousands; a key press renders only the two that it changes. */
class LineView extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    const { line, isSelected, found, other } = this.props
    return next.line !== line || next.isSelected !== isSelected || next.found !== found || next.other !== other
  }

  override render({ line, run, other, isSelected, found, onSelect }: LineProps): JSX.Element {
    const { key, mark, isFirst, isAfter } = line
    const [sign, words] = marks[mark]
    const classes = [
      'line',
      mark.replaceAll(' ', '-'),
      ...(isFirst ? ['first'] : []),
      ...(isAfter ? ['after'] : []),
      ...(isSelected ? ['selected'] : []),
    ]
    return (
      <li class={classes.join(' ')}>
        <button type="button" id={`line-${key}`} aria-current={isSelected ? 'step' : undefined} onClick={() => onSelect(key)}>
          <Cell entry={line.left} run={run} isDeparture={line.isDeparture} />
          {other !== undefined && (
            <>
              <span class="mark" role="img" aria-label={words} title={words}>
                {sign}
              </span>
              <Cell entry={line.right} run={other} isDeparture={line.isDeparture && line.left === undefined} />
            </>
          )}
          {found !== undefined && (
            <span class="found">
              …<Parts value={found.before} />
              <mark>
                <Parts value={found.match} />
              </mark>
              <Parts value={found.after} />…
            </span>
          )}
        </button>
      </li>
    )
  }
}

/** The sign of a mark, and its description. */
const marks: Readonly<Record<Line['mark'], readonly [sign: string, words: string]>> = {
  none: ['', ''],
  same: ['=', 'the same'],
  differs: ['≠', 'differs'],
  again: ['!', 'repeats the incident'],
  'only left': ['−', 'only on the left'],
  'only right': ['+', 'only on the right'],
  'not run': ['·', 'made by a tool that did not run'],
  'not reached': ['·', 'not reached'],
}

/** Explains the departure of an agent. */
export const departureWords = 'From here on, the agent differs from the recorded run.'

function Cell({ entry, run, isDeparture = false }: CellProps): JSX.Element {
  if (entry === undefined) return <span class="cell empty" />
  const { title, detail, result, isError } = describeEntry(entry, run)
  const step = entry.kind === 'step' ? entry.step : undefined
  const took = step?.step.settledAt === undefined ? '' : formatDuration(step.step.settledAt - step.step.at)
  return (
    <span class={`cell ${kindOf(entry)}`} style={{ '--depth': step?.depth ?? 0 }}>
      <span class="number">{step?.label}</span>
      <span class="kind" title={kindOf(entry)} />
      <span class="words">
        <span class="title">
          <Parts value={title} />
        </span>
        {isDeparture && (
          <span class="badge good" title={departureWords}>
            departs here
          </span>
        )}
        <Flags entry={entry} run={run} />
        {detail !== '' && (
          <span class="detail">
            <Parts value={detail} />
          </span>
        )}
        {result !== '' && (
          <span class={`result ${isError ? 'bad' : ''}`}>
            <Parts value={`→ ${result}`} />
          </span>
        )}
      </span>
      <span class="took">{took}</span>
    </span>
  )
}

interface CellProps {
  readonly entry: Entry | undefined
  readonly run: ViewedRun
  readonly isDeparture?: boolean
}

/** Returns the boundary of a step, or the kind of another entry. */
export function kindOf(entry: Entry): string {
  return entry.kind === 'step' ? entry.step.step.boundary : entry.kind
}

/** The badges of a line. */
function Flags({ entry, run }: { readonly entry: Entry; readonly run: ViewedRun }): JSX.Element | null {
  const expect = run.trace.header.golden?.expect
  const incident = expect?.replay === 'departs' ? expect : undefined
  if (entry.kind === 'input') return incident?.trigger === 'input' ? <span class="badge warn">trigger</span> : null
  if (entry.kind !== 'step') return null
  const { step, sideEffect, repeats, retries } = entry.step
  return (
    <>
      {incident?.trigger === step.step && <span class="badge warn">trigger</span>}
      {incident?.at === step.step && <span class="badge bad">must not happen again</span>}
      {repeats !== undefined ? (
        <span class="badge bad">repeats {run.steps.get(repeats)?.label}</span>
      ) : (
        sideEffect !== undefined && <span class="badge write">side effect</span>
      )}
      {retries !== undefined && <span class="badge">retry</span>}
      {step.route !== undefined && step.route !== 'recorded' && <span class="badge">{step.route}</span>}
    </>
  )
}
