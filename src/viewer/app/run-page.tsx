import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RunPage } from '../page-data.ts'
import { describeEntry } from '../model/describe-entry.ts'
import { type Line, linesOf, linesOfBoth, startOf } from '../model/lines.ts'
import { type Found, findIn, indexRun } from '../model/search.ts'
import { fromHash, type Place, toHash } from '../model/page-place.ts'
import { type Entry, type ViewedRun, viewRuns } from '../model/viewed-run.ts'
import { standInFinder } from '../../redaction/find-stand-ins.ts'
import { Forks } from './continue-from.tsx'
import { DetailPane } from './detail-pane.tsx'
import { Help } from './help.tsx'
import { lineFor, noTarget } from './keys.ts'
import { RunHeader } from './run-header.tsx'
import { StepList } from './step-list.tsx'
import { StandInsOfPage } from './text.tsx'
import { switchTheme } from './theme.ts'
import { Timeline, type Zoom, whole, zoomed } from './timeline.tsx'
import { Toolbar } from './toolbar.tsx'
import { VerdictBanner } from './verdict-banner.tsx'

/** A page about a run, or about a run and the runs that it is compared with. */
export function RunPageView({ page }: { readonly page: RunPage }): JSX.Element {
  const runs = useMemo(() => viewRuns(page), [page])
  const findStandIns = useMemo(() => standInFinder(runs.map(({ trace }) => trace)), [runs])
  const linked = (): Place => fromHash(location.hash, page.comparisons.length)
  const [index, setIndex] = useState(() => linked().other)
  const [run, other] = [runs[0] as ViewedRun, runs[index + 1]]
  const comparison = page.comparisons[index]
  const lines = useMemo(
    () => (other === undefined || comparison === undefined ? linesOf(run) : linesOfBoth(run, other, comparison)),
    [run, other, comparison],
  )
  const placeIn = (key: string): string => (lines.some((each) => each.key === key) ? key : startOf(lines, run))
  const missing = (key: string): string => (key === '' || placeIn(key) === key ? '' : `There is no ${key.replace('=', ' ')} here.`)
  const [selected, select] = useState(() => placeIn(linked().key))
  const [notice, tell] = useState(() => missing(linked().key))
  const [query, setQuery] = useState('')
  const [zoom, setZoom] = useState<Zoom>(whole)
  const [helps, setHelps] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const found = useFound(lines, run, other, query)
  const line = lines.find(({ key }) => key === selected) ?? lines[0]
  const go = (key: string): void => {
    tell('')
    select(key)
  }
  useEffect(() => bringIntoView(selected), [selected])
  useLink(toHash({ key: selected, other: index }))
  useEffect(() => {
    const onHash = (): void => {
      const { key, other: compared } = linked()
      setIndex(compared)
      select(placeIn(key))
      tell(missing(key))
    }
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [lines])
  useKeys({ lines, found, selected, go, tell, search, setHelps, setZoom, setQuery })
  const names = comparison?.kind === 'replay' ? { left: 'recorded', right: 'replayed' } : { left: 'a', right: 'b' }
  const first = lines.find(({ isFirst }) => isFirst)
  // Neither depends on the selected step, so a key press does not render them again.
  const header = useMemo(() => <RunHeader run={run} comparison={comparison} prices={page.prices ?? {}} other={other} />, [run, other])
  const verdict = useMemo(
    () => comparison && <VerdictBanner comparison={comparison} names={names} onFirst={() => goTo(first, go)} />,
    [comparison, first],
  )
  const onBar = (entry: Entry, of: ViewedRun): void => {
    const at = lines.find(({ left, right }) => (of === run ? left : right) === entry)
    if (at !== undefined) go(at.key)
  }
  const shown = line?.left ?? line?.right
  return (
    <StandInsOfPage.Provider value={findStandIns}>
      <div class="page">
        <header class="top">
          {header}
          <Toolbar
            query={query}
            found={found?.size}
            search={search}
            list={page.list}
            others={runs.slice(1).map(({ name }) => name)}
            other={index}
            onOther={setIndex}
            onQuery={setQuery}
            onKey={(key) => goTo(lineFor(key, lines, selected), go)}
            onTheme={switchTheme}
            onHelp={() => setHelps(true)}
          />
        </header>
        {verdict}
        <Timeline run={run} other={other} names={names} selected={shown} zoom={zoom} onZoom={setZoom} onSelect={onBar} />
        <main class={other === undefined ? '' : 'compares'}>
          <StepList lines={lines} run={run} other={other} selected={line?.key ?? ''} found={found} onSelect={go} />
          {line !== undefined && (
            <Forks.Provider value={page.forks}>
              <DetailPane
                line={line}
                run={run}
                other={other}
                names={names}
                prices={page.prices ?? {}}
                hash={toHash({ key: line.key, other: index })}
                go={go}
                lines={lines}
              />
            </Forks.Provider>
          )}
        </main>
        {notice !== '' && (
          <p class="notice" role="status">
            {notice}
          </p>
        )}
        <div class="unseen" aria-live="polite">
          {shown === undefined ? '' : spoken(shown, shown === line?.left ? run : (other ?? run))}
        </div>
        {helps && <Help onClose={() => setHelps(false)} />}
      </div>
    </StandInsOfPage.Provider>
  )
}

function goTo(line: Line | undefined, go: (key: string) => void): void {
  if (line !== undefined) go(line.key)
}

function spoken(entry: Entry, run: ViewedRun): string {
  const { title, result } = describeEntry(entry, run)
  return `${entry.kind === 'step' ? `Step ${entry.step.label}, ` : ''}${title} ${result}`.slice(0, 200)
}

/** Puts the selected step into the address once no further key follows: browsers throttle pages that change it too often. */
function useLink(hash: string): void {
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isOpened.current) return void (isOpened.current = true)
    const timer = setTimeout(() => history.replaceState(null, '', hash), 120)
    return () => clearTimeout(timer)
  }, [hash])
}

/** Centres the first divergence, so that the lines before and after it are visible. */
function bringIntoView(key: string): void {
  const line = document.getElementById(`line-${key}`)
  const list = document.getElementById('steps')
  if (line === null || list === null || list.scrollHeight <= list.clientHeight) return
  const [place, seen] = [line.getBoundingClientRect(), list.getBoundingClientRect()]
  if (place.top >= seen.top + 8 && place.bottom <= seen.bottom - 8) return
  // Scrolls only the list: on a narrow screen the page itself stays where it is.
  list.scrollTop += (place.top + place.bottom - seen.top - seen.bottom) / 2
}

/** The results of a search. The index is built on the first search. */
function useFound(
  lines: readonly Line[],
  run: ViewedRun,
  other: ViewedRun | undefined,
  query: string,
): ReadonlyMap<string, Found> | undefined {
  const isSearching = query.trim() !== ''
  const index = useMemo(
    () => (isSearching ? new Map([...indexRun(run), ...(other === undefined ? [] : indexRun(other))]) : undefined),
    [run, other, isSearching],
  )
  return useMemo(() => {
    if (index === undefined) return undefined
    return new Map(
      lines.flatMap(({ key, left, right }) => {
        const found = [left, right].map((entry) => entry && findIn(index, entry, query.trim())).find((each) => each !== undefined)
        return found === undefined ? [] : [[key, found] as const]
      }),
    )
  }, [index, lines, query])
}

interface KeysOptions {
  readonly lines: readonly Line[]
  readonly found: ReadonlyMap<string, Found> | undefined
  readonly selected: string
  readonly search: { readonly current: HTMLInputElement | null }
  go(key: string): void
  tell(notice: string): void
  setHelps(helps: boolean): void
  setZoom(change: (zoom: Zoom) => Zoom): void
  setQuery(query: string): void
}

function useKeys(options: KeysOptions): void {
  // Keys may come faster than the page is painted: one listener stays, and uses the latest state.
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => pressKey(event, latest.current)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function pressKey(event: KeyboardEvent, { lines, found, selected, search, go, tell, setHelps, setZoom, setQuery }: KeysOptions): void {
  const { key } = event
  const isTyping = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some((type) => event.target instanceof type)
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return
  const isSearching = event.target === search.current
  if (isTyping && !(isSearching && (key === 'Enter' || key === 'Escape'))) return
  const others: Readonly<Record<string, () => void>> = {
    '/': () => search.current?.focus(),
    '?': () => setHelps(true),
    t: switchTheme,
    '+': () => setZoom((zoom) => zoomed(zoom, 0.6)),
    '-': () => setZoom((zoom) => zoomed(zoom, 1 / 0.6)),
    '0': () => setZoom(() => whole),
    Escape: () => {
      setQuery('')
      search.current?.blur()
    },
  }
  const shown = found === undefined ? lines : lines.filter((line) => found.has(line.key))
  const isNextPlace = isSearching && key === 'Enter'
  const line = lineFor(isNextPlace ? (event.shiftKey ? 'k' : 'j') : key, shown, selected)
  const other = Object.hasOwn(others, key) ? others[key] : undefined
  if (line === undefined && other === undefined) return tell(noTarget(key))
  event.preventDefault()
  if (line !== undefined) go(line.key)
  else other?.()
}
