import type { JSX } from 'preact'
import { describeEntry } from '../model/describe-entry.ts'
import type { Entry, ViewedRun } from '../model/viewed-run.ts'
import { formatDuration } from './format.ts'

const LANE = 20

const BAR = 16

/** Further lanes are drawn over the last one. */
const mostLanes = 10

/** The width of a character of a bar's name, in pixels. */
const CHARACTER = 6.6

/** Returns the height of a run's track. */
export function trackHeight({ lanes }: ViewedRun): number {
  return Math.min(lanes, mostLanes) * LANE + 12
}

interface TrackProps {
  readonly run: ViewedRun
  readonly y: number
  readonly width: number
  toX(at: number): number
  onSelect(entry: Entry, run: ViewedRun): void
}

/** The steps of one run as bars, with marks for checkpoints and notes. */
export function Track({ run, y, width, toX, onSelect }: TrackProps): JSX.Element {
  return (
    <g class="track">
      {run.entries.map((entry) => {
        const x = toX(entry.at)
        if (entry.kind === 'step') return <Bar entry={entry} run={run} y={y} width={width} toX={toX} onSelect={onSelect} />
        const isSeen = (entry.kind === 'checkpoint' || entry.kind === 'note') && x >= 0 && x <= width
        return isSeen ? <Mark entry={entry} run={run} x={x} y={y + trackHeight(run) - 8} onSelect={onSelect} /> : null
      })}
    </g>
  )
}

interface BarProps extends TrackProps {
  readonly entry: Extract<Entry, { readonly kind: 'step' }>
}

function Bar({ entry, run, y, width, toX, onSelect }: BarProps): JSX.Element | null {
  const { step, label, lane, chunks, headAt, sideEffect, repeats } = entry.step
  const [x, end] = [toX(step.at), toX(step.settledAt ?? run.drawnTo)]
  if (end < 0 || x > width) return null
  const length = Math.max(2.5, end - x)
  const top = y + Math.min(lane, mostLanes - 1) * LANE
  const firstAt = chunks[0]?.at ?? headAt
  const waited = firstAt === undefined ? 0 : Math.min(length, toX(firstAt) - x)
  const { title, isError } = describeEntry(entry, run)
  const took = step.settledAt === undefined ? 'in flight' : formatDuration(step.settledAt - step.at)
  const room = Math.floor((Math.min(end, width) - Math.max(x, 0) - 8) / CHARACTER)
  const flags = [
    ...(step.settledAt === undefined ? ['open'] : []),
    ...(isError ? ['bad'] : []),
    ...(sideEffect ? ['write'] : []),
    ...(repeats === undefined ? [] : ['repeats']),
  ]
  return (
    <g class={`bar ${step.boundary} ${flags.join(' ')}`} onClick={() => onSelect(entry, run)}>
      <title>{`${label} ${title}, ${took}`}</title>
      <rect x={x} y={top} width={length} height={BAR} rx="2.5" />
      {waited > 1 && <rect class="waited" x={x} y={top} width={waited} height={BAR} rx="2.5" />}
      {sideEffect && <rect class="edge" x={x} y={top} width={Math.min(3, length)} height={BAR} />}
      {room >= 3 && (
        <text x={Math.max(x, 0) + 6} y={top + 12}>
          {title.length > room ? `${title.slice(0, room - 1)}…` : title}
        </text>
      )}
    </g>
  )
}

interface MarkProps extends Pick<TrackProps, 'run' | 'y' | 'onSelect'> {
  readonly entry: Entry
  readonly x: number
}

function Mark({ entry, run, x, y, onSelect }: MarkProps): JSX.Element {
  return (
    <g class={`point ${entry.kind}`} onClick={() => onSelect(entry, run)}>
      <title>{describeEntry(entry, run).title}</title>
      <path d={`M${x} ${y - 4}l4 4l-4 4l-4 -4z`} />
    </g>
  )
}
