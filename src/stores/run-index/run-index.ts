import path from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { makeDirectory } from '../make-directory.ts'
import { takeMatching } from '../draw-sample.ts'
import type { RepeatedEffect, RunQuery, RunSummary } from '../run-summary.ts'
import { groupEffects, MOST_RUNS } from '../repeated-effects.ts'
import { EFFECT_TERM, statusesOf, termOfStatus, termsOf, termsOfQuery } from '../run-terms.ts'
import type { ListQuery } from '../trace-store.ts'
import { claimDatabase, loadSqlite } from '../../node/load-sqlite.ts'
import { runNumber, runNumberAt } from './run-number.ts'
import { readSummary } from './read-summary.ts'
import { type IndexedRun, toIndexedRun } from './index-row.ts'
import { isBusy } from './is-busy.ts'
import { realTimers } from '../../node/real-timers.ts'
import { knownOrMade } from '../../trace/remember.ts'

/** Increased when the stored data changes: an index with a different version is rebuilt. */
const VERSION = 3

/** Selects the terms of side effects that several runs made: few, with an index of their own. */
const IS_REPEATED = `runs > 1 AND substr(term, 1, ${EFFECT_TERM.length}) = '${EFFECT_TERM}'`

/**
 * The tables. A run's number encodes its start, so that postings are in order of time. `size` and `changed` show whether a recording
 * has changed since it was read. Runs are found by terms; a posting records that a run has a term.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    summary TEXT,
    problem TEXT,
    in_flight INTEGER NOT NULL,
    size INTEGER NOT NULL,
    changed INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS open_runs ON runs (number) WHERE in_flight = 1;
  CREATE TABLE IF NOT EXISTS terms (number INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, runs INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS repeated_effects ON terms (number) WHERE ${IS_REPEATED};
  CREATE TABLE IF NOT EXISTS postings (term INTEGER NOT NULL, run INTEGER NOT NULL, PRIMARY KEY (term, run)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
`

/** Selects the terms of side effects that several runs made in a period, the most recent first. */
const REPEATED_EFFECTS = `
  SELECT repeated.term AS term, MAX(p.run) AS newest
  FROM (SELECT number, term FROM terms WHERE ${IS_REPEATED}) repeated
  JOIN postings p ON p.term = repeated.number AND p.run >= ? AND p.run < ?
  GROUP BY repeated.number HAVING COUNT(*) > 1 ORDER BY newest DESC
`

/** Adds to the total size of the recordings in bytes. */
const ADD_BYTES = "INSERT INTO facts VALUES ('bytes', ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value"

const COUNT_TERM = 'INSERT INTO terms (term, runs) VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET runs = runs + 1 RETURNING number'

/** How long creating the tables may wait, in milliseconds: longer, because it happens once per index. */
const OPENING = 500

/** An index of runs in a file. All methods are synchronous, and throw SQLite's errors. */
export class RunIndex {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /**
   * Opens the index, and creates it if there is none.
   *
   * @param wait How long to wait for another writer, in milliseconds.
   * @throws Error if this Node has no SQLite, or the file is not a database.
   */
  constructor(file: string, wait: number) {
    const sqlite = loadSqlite()
    if (sqlite === undefined) throw new Error('This Node was built without node:sqlite.')
    makeDirectory(path.dirname(file))
    this.#database = new sqlite.DatabaseSync(file)
    claimDatabase(this.#database)
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${Math.max(wait, OPENING)}`)
      this.#useLogAhead()
      // After a crash of the machine, the index can be rebuilt from the recordings.
      this.#database.exec('PRAGMA synchronous = OFF')
      // Overwrites removed data, so that nothing of a person's run stays in the file.
      this.#database.exec('PRAGMA secure_delete = ON')
      this.#prepareTables()
      this.wait(wait)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Enables write-ahead logging. When several processes open a new index at once, one switches it, and SQLite fails the others without waiting. */
  #useLogAhead(): void {
    const until = realTimers.now() + OPENING
    for (;;) {
      const { journal_mode: mode } = this.#database.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
      if (mode === 'wal') return
      try {
        return this.#database.exec('PRAGMA journal_mode = WAL')
      } catch (error) {
        if (!isBusy(error) || realTimers.now() > until) throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      }
    }
  }

  #prepareTables(): void {
    const { user_version: version } = this.#database.prepare('PRAGMA user_version').get() as { user_version: number }
    if (version === VERSION) return
    this.transaction(() => {
      if (version !== 0) for (const table of ['runs', 'terms', 'postings', 'facts']) this.#database.exec(`DROP TABLE IF EXISTS ${table}`)
      this.#database.exec(`${SCHEMA} PRAGMA user_version = ${VERSION}`)
    })
  }

  /** Sets how long to wait for another writer, in milliseconds. */
  wait(milliseconds: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  /** Applies several changes atomically. */
  transaction(change: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      change()
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** Inserts or replaces a run. */
  put({ id, summary, problem, size, changed }: IndexedRun): void {
    const before = this.#numberOf(id)
    const isInFlight = summary?.status === 'in-flight'
    if (before !== undefined) this.#removeNumber(before)
    const number = before ?? this.#freeNumber(id, summary?.startedAt)
    const text = summary === undefined ? null : JSON.stringify(summary)
    this.#run('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)', number, id, text, problem ?? null, isInFlight ? 1 : 0, size, changed)
    this.#run(ADD_BYTES, size)
    if (summary === undefined) return
    for (const term of termsOf(summary)) {
      const counted = this.#get(COUNT_TERM, term)
      this.#run('INSERT INTO postings VALUES (?, ?)', Number(counted?.['number']), number)
    }
  }

  remove(id: string): void {
    const number = this.#numberOf(id)
    if (number !== undefined) this.#removeNumber(number)
  }

  /** Empties SQLite's write-ahead log, which still contains removed data. Does nothing while another process reads it. */
  truncateLog(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  get(id: string): IndexedRun | undefined {
    const row = this.#get('SELECT * FROM runs WHERE id = ?', id)
    return row === undefined ? undefined : toIndexedRun(row)
  }

  ids(): string[] {
    return this.#all('SELECT id FROM runs ORDER BY number').map(({ id }) => String(id))
  }

  /** Returns the runs that have no end yet, the newest first. */
  inFlight(most: number): IndexedRun[] {
    return this.#all('SELECT * FROM runs WHERE in_flight = 1 ORDER BY number DESC LIMIT ?', most).map(toIndexedRun)
  }

  /** Returns the recordings that cannot be read. */
  unreadable(): IndexedRun[] {
    return this.#all('SELECT * FROM runs WHERE summary IS NULL AND problem IS NOT NULL ORDER BY number').map(toIndexedRun)
  }

  /** Finds side effects that several of the matching runs made, the most recently repeated first. */
  findRepeatedEffects({ limit = Infinity, ...query }: RunQuery): RepeatedEffect[] {
    const found: RepeatedEffect[] = []
    const [since, until] = [runNumberAt(query.since), query.until === undefined ? Number.MAX_SAFE_INTEGER : runNumberAt(query.until)]
    for (const { term } of this.#statement(REPEATED_EFFECTS).iterate(since, until)) {
      const runs = [...this.#matching(query, Number.MAX_SAFE_INTEGER, MOST_RUNS, [String(term)])]
      found.push(...groupEffects(String(term), runs))
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  /** Returns the ids that match a query, in order. */
  list({ prefix = '', newest, limit }: ListQuery): string[] {
    const sql = `SELECT id FROM runs WHERE id >= ? AND id < ? ORDER BY id ${newest === true ? 'DESC' : 'ASC'} LIMIT ?`
    return this.#all(sql, prefix, `${prefix}\u{10ffff}`, limit ?? -1).map(({ id }) => String(id))
  }

  /** Finds runs, the newest first. */
  find(query: RunQuery): RunSummary[] {
    if (query.sample === undefined) return [...this.#matching(query, this.#numberBefore(query.before), query.limit)]
    return takeMatching(this.#matching(query, Number.MAX_SAFE_INTEGER, undefined), query)
  }

  *#matching(query: RunQuery, end: number, limit: number | undefined, more: readonly string[] = []): Generator<RunSummary> {
    const terms: { readonly number: number; readonly runs: number }[] = []
    for (const term of [...termsOfQuery(query), ...more]) {
      const known = this.#term(term)
      if (known === undefined) return
      terms.push(known)
    }
    const statuses = statusesOf(query)
    const either =
      statuses === undefined || statuses.length === 1
        ? undefined
        : statuses.flatMap((status) => this.#term(termOfStatus(status))?.number ?? [])
    // Starts with the rarest term.
    const numbers = terms.toSorted((a, b) => a.runs - b.runs).map(({ number }) => number)
    const [rarest, ...others] = numbers
    const from = rarest === undefined ? 'runs' : 'postings p JOIN runs ON runs.number = p.run'
    const run = rarest === undefined ? 'runs.number' : 'p.run'
    const conditions = [
      ...(rarest === undefined ? [] : ['p.term = ?']),
      ...others.map(() => `EXISTS (SELECT 1 FROM postings WHERE term = ? AND run = ${run})`),
      ...(either === undefined
        ? []
        : [`EXISTS (SELECT 1 FROM postings WHERE term IN (${either.map(() => '?').join(', ')}) AND run = ${run})`]),
      `${run} >= ?`,
      `${run} < ?`,
      'runs.summary IS NOT NULL',
    ]
    const since = query.since === undefined ? 0 : runNumberAt(query.since)
    const until = query.until === undefined ? end : Math.min(end, runNumberAt(query.until))
    const sql = `SELECT runs.summary FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${run} DESC LIMIT ?`
    const values = [...numbers, ...(either ?? []), since, until, limit ?? -1]
    for (const { summary } of this.#statement(sql).iterate(...values)) yield readSummary(String(summary))
  }

  #term(term: string): { readonly number: number; readonly runs: number } | undefined {
    const row = this.#get('SELECT number, runs FROM terms WHERE term = ?', term)
    return row === undefined || row['runs'] === 0 ? undefined : { number: Number(row['number']), runs: Number(row['runs']) }
  }

  fact(name: string): number {
    return Number(this.#get('SELECT value FROM facts WHERE name = ?', name)?.['value'] ?? 0)
  }

  setFact(name: string, value: number): void {
    this.#run('INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, Math.round(value))
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #numberOf(id: string): number | undefined {
    return this.#get('SELECT number FROM runs WHERE id = ?', id)?.['number'] as number | undefined
  }

  #numberBefore(id: string | undefined): number {
    return id === undefined ? Number.MAX_SAFE_INTEGER : (this.#numberOf(id) ?? runNumber(id, undefined))
  }

  #freeNumber(id: string, startedAt: string | undefined): number {
    let number = runNumber(id, startedAt)
    while (this.#get('SELECT 1 FROM runs WHERE number = ?', number) !== undefined) number += 1
    return number
  }

  #removeNumber(number: number): void {
    const row = this.#get('SELECT summary, size FROM runs WHERE number = ?', number)
    this.#run(ADD_BYTES, -Number(row?.['size'] ?? 0))
    if (typeof row?.['summary'] === 'string')
      for (const term of termsOf(readSummary(row['summary']))) {
        this.#run('DELETE FROM postings WHERE term = (SELECT number FROM terms WHERE term = ?) AND run = ?', term, number)
        this.#run('UPDATE terms SET runs = runs - 1 WHERE term = ?', term)
        this.#run('DELETE FROM terms WHERE term = ? AND runs < 1', term)
      }
    this.#run('DELETE FROM runs WHERE number = ?', number)
  }

  #statement(sql: string): StatementSync {
    return knownOrMade(this.#statements, sql, () => this.#database.prepare(sql))
  }

  #get(sql: string, ...values: readonly Value[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values)
  }

  #all(sql: string, ...values: readonly Value[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values)
  }

  #run(sql: string, ...values: readonly Value[]): void {
    this.#statement(sql).run(...values)
  }
}

type Value = string | number | null
