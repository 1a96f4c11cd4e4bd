import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { visible } from '../model/visible.ts'
import type { ListPage, ListedRun } from '../page-data.ts'
import { counted, formatTime } from './format.ts'
import { switchTheme } from './theme.ts'
import { Chips, Text } from './text.tsx'

/** The runs of a store, on a served page. */
export function ListPageView({ page }: { readonly page: ListPage }): JSX.Element {
  const [{ query, status }, filter] = useState(readFilter)
  // A served page is reloaded when its store changes, so the address keeps the query and the status.
  useEffect(() => history.replaceState(null, '', `#${new URLSearchParams({ query, status }).toString()}`), [query, status])
  const statuses = [...new Set([...page.runs.map((run) => run.status), ...(status === '' ? [] : [status])])]
  const runs = page.runs.filter((run) => (status === '' || run.status === status) && holds(run, query))
  return (
    <div class="page list-page">
      <header class="top">
        <div class="about">
          <h1>Runs</h1>
          <p class="facts">
            <span>{visible(page.place)}</span>
            <span>{counted(runs.length, 'run')}</span>
            {page.more && <span>older ones are not listed</span>}
          </p>
        </div>
        <div class="toolbar" role="search">
          <select aria-label="Status" value={status} onChange={(event) => filter({ query, status: event.currentTarget.value })}>
            <option value="">any status</option>
            {statuses.map((each) => (
              <option value={each}>{each}</option>
            ))}
          </select>
          <input
            type="search"
            value={query}
            placeholder="Filter: agent, tag, name"
            aria-label="Filter"
            onInput={(event) => filter({ query: event.currentTarget.value, status })}
          />
          <button type="button" aria-label="Dark or light" onClick={switchTheme}>
            ◐
          </button>
        </div>
      </header>
      <main class="runs">
        <table class="grid">
          <thead>
            <tr>
              <th>run</th>
              <th>agent</th>
              <th>status</th>
              <th>steps</th>
              <th>started</th>
              <th>about</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow run={run} />
            ))}
          </tbody>
        </table>
      </main>
    </div>
  )
}

function readFilter(): { query: string; status: string } {
  const chosen = new URLSearchParams(location.hash.slice(1))
  return { query: chosen.get('query') ?? '', status: chosen.get('status') ?? '' }
}

function RunRow({ run }: { readonly run: ListedRun }): JSX.Element {
  const { href, name, agent, status, steps, startedAt, flags, tags, golden, description } = run
  return (
    <tr>
      <td>
        <a href={href}>
          <Text value={name} limit={120} />
        </a>{' '}
        {golden && <span class="badge good">golden</span>}
      </td>
      <td>
        <Text value={agent} limit={80} />
      </td>
      <td>
        <span class={`badge ${status === 'threw' ? 'bad' : status === 'returned' ? '' : 'warn'}`}>{status}</span>
      </td>
      <td class="number">{steps}</td>
      <td class="number">{formatTime(startedAt)}</td>
      <td>
        {description !== undefined && <Text value={description} limit={200} />}
        <Chips tags={tags} flags={flags} />
      </td>
    </tr>
  )
}

function holds({ name, agent, status, tags, flags, description = '' }: ListedRun, query: string): boolean {
  const text = [name, agent, status, description, ...flags, ...Object.entries(tags).map(([key, value]) => `${key}=${value}`)]
    .join(' ')
    .toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
