import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type TimeScale, createTimeScale } from '../model/time-scale.ts'
import type { Entry, ViewedRun } from '../model/viewed-run.ts'
import type { SideNames } from './difference.tsx'
import { formatDuration } from './format.ts'
import { Track, trackHeight } from './track.tsx'

interface TimelineProps {
  readonly run: ViewedRun
  readonly other: ViewedRun | undefined
  /** The names of the two runs. */
  readonly names: SideNames
  readonly selected: Entry | undefined
  readonly zoom: Zoom
  onZoom(zoom: Zoom): void
  onSelect(entry: Entry, run: ViewedRun): void
}

/** The visible part of the time, as places of the scale between 0 and 1. */
export interface Zoom {
  readonly from: number
  readonly to: number
}

/** The whole run. */
export const whole: Zoom = { from: 0, to: 1 }

/** Returns a larger or smaller part of the time, around a place. It never leaves the run. */
export function zoomed({ from, to }: Zoom, factor: number, around: number = (from + to) / 2): Zoom {
  const width = Math.min(1, Math.max(0.0005, (to - from) * factor))
  return within(around - ((around - from) / (to - from)) * width, width)
}

function within(from: number, width: number): Zoom {
  const start = Math.min(Math.max(0, from), 1 - width)
  return { from: start, to: start + width }
}

const AXIS = 22

/** The space between two tracks, for their names. */
const NAMES = 18

/** The times of the steps, in lanes. Idle gaps are folded. */
export function Timeline({ run, other, names, selected, zoom, onZoom, onSelect }: TimelineProps): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  const endsAt = Math.max(run.drawnTo, other?.drawnTo ?? 0)
  const scale = useMemo(() => {
    const steps = [run, other].flatMap((each) => each?.trace.steps ?? [])
    return createTimeScale(steps, endsAt)
  }, [run, other])
  const toX = (at: number): number => ((scale.toPlace(at) - zoom.from) / (zoom.to - zoom.from)) * width
  useDragging(ref, zoom, width, onZoom)
  const secondAt = AXIS + trackHeight(run)
  const height = secondAt + (other === undefined ? 0 : NAMES + trackHeight(other)) + 4
  const label = `Timeline of ${run.trace.steps.length} steps in ${formatDuration(run.endsAt)}`
  // Rendering thousands of bars at each key press would be slow.
  const tracks = useMemo(
    () => (
      <>
        <Axis scale={scale} width={width} height={height} endsAt={endsAt} toX={toX} />
        <Track run={run} y={AXIS} width={width} toX={toX} onSelect={onSelect} />
        {other !== undefined && (
          <>
            <text x="4" y={secondAt + 11} class="track-name">
              {names.left} above, {names.right} below
            </text>
            <Track run={other} y={secondAt + NAMES} width={width} toX={toX} onSelect={onSelect} />
          </>
        )}
      </>
    ),
    [run, other, zoom, width, scale],
  )
  return (
    <div class="timeline" ref={ref}>
      <svg width={width} height={height} role="img" aria-label={label}>
        {tracks}
        {selected !== undefined && <Cursor entry={selected} height={height} toX={toX} />}
      </svg>
    </div>
  )
}

function Cursor({ entry, height, toX }: { readonly entry: Entry; readonly height: number; toX(at: number): number }): JSX.Element {
  const x = toX(entry.at)
  const end = entry.kind === 'step' ? toX(entry.step.step.settledAt ?? entry.at) : x
  return (
    <g class="cursor">
      <rect x={x} y="0" width={Math.max(1, end - x)} height={height} />
      <line x1={x} x2={x} y1="0" y2={height} />
    </g>
  )
}

interface AxisProps {
  readonly scale: TimeScale
  readonly width: number
  readonly height: number
  readonly endsAt: number
  toX(at: number): number
}

function Axis({ scale, width, height, endsAt, toX }: AxisProps): JSX.Element {
  const gaps = scale.gaps.map(({ from, to }) => ({ from, to, x: toX(from), end: toX(to) })).filter(({ x, end }) => end > 0 && x < width)
  return (
    <g class="axis">
      {ticksOf(endsAt, width, toX, gaps).map(({ at, x }) => (
        <g>
          <line x1={x} x2={x} y1="16" y2={height} />
          <text x={x + 3} y="12">
            {formatDuration(at)}
          </text>
        </g>
      ))}
      {gaps.map(({ from, to, x, end }) => (
        <g class="gap">
          <title>{`${formatDuration(to - from)} in which nothing was in flight`}</title>
          <rect x={x} y="16" width={Math.max(1, end - x)} height={height} />
          <text x={(x + end) / 2} y={height - 5} text-anchor="middle">
            {end - x > 40 ? formatDuration(to - from) : '⋯'}
          </text>
        </g>
      ))}
    </g>
  )
}

/** Returns round times, as many as there is room for. */
function ticksOf(
  endsAt: number,
  width: number,
  toX: (at: number) => number,
  gaps: readonly { from: number; to: number }[],
): { at: number; x: number }[] {
  const ticks: { at: number; x: number }[] = []
  let last = -Infinity
  for (const step of roundSteps(endsAt)) {
    for (let at = 0; at <= endsAt; at += step) {
      const x = toX(at)
      const isFolded = gaps.some(({ from, to }) => at > from && at < to)
      const hasRoom = x >= 0 && x < width - 30 && ticks.every((other) => Math.abs(other.x - x) > 80)
      if (!isFolded && hasRoom && x !== last) ticks.push({ at, x: (last = x) })
    }
    if (ticks.length > 4) break
  }
  return ticks
}

function roundSteps(endsAt: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, endsAt)))
  return [power, power / 2, power / 5, power / 10, power / 50, power / 100]
}

function useWidth(ref: { readonly current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(800)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = (): void => setWidth(Math.max(200, element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return width
}

/** The wheel zooms with Ctrl, and pans with Shift or sideways, as a trackpad does. Dragging pans. */
function useDragging(ref: { readonly current: HTMLDivElement | null }, zoom: Zoom, width: number, onZoom: (zoom: Zoom) => void): void {
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const placeOf = (event: MouseEvent): number => {
      const { left } = element.getBoundingClientRect()
      return zoom.from + ((event.clientX - left) / width) * (zoom.to - zoom.from)
    }
    const pan = (pixels: number): void => onZoom(within(zoom.from + (pixels / width) * (zoom.to - zoom.from), zoom.to - zoom.from))
    const onWheel = (event: WheelEvent): void => {
      const sideways = event.shiftKey ? event.deltaY : event.deltaX
      if (event.ctrlKey) onZoom(zoomed(zoom, 1.002 ** event.deltaY, placeOf(event)))
      else if (sideways !== 0) pan(sideways)
      else return
      event.preventDefault()
    }
    const onMove = (event: PointerEvent): void => {
      if ((event.buttons & 1) === 1 && event.movementX !== 0) pan(-event.movementX)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    element.addEventListener('pointermove', onMove)
    return () => {
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('pointermove', onMove)
    }
  })
}
