import path from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { makeDirectory } from '../make-directory.ts'
import type { RunQuery, RunSummary } from '../run-summary.ts'
import { termsOf, termsOfQuery } from '../run-terms.ts'
import { claimDatabase, loadSqlite } from '../../node/load-sqlite.ts'
import { readSummary } from './read-summary.ts'
import type { Stamp } from '../store-files.ts'
import { knownOrMade } from '../../node/remember.ts'

/** Increased when the stored data changes: an index of a different version is rebuilt. */
const VERSION = 2

/**
 * The tables. A run's number encodes when it started, so that postings are in order of time. `size` and `changed` tell whether a recording
 * has changed since it was read. A run is found by terms, and a posting says that a run has a term.
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
  CREATE TABLE IF NOT EXISTS postings (term INTEGER NOT NULL, run INTEGER NOT NULL, PRIMARY KEY (term, run)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
`

const COUNT_TERM = 'INSERT INTO terms (term, runs) VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET runs = runs + 1 RETURNING number'

/** Creating the tables may wait longer, because it happens once per index. */
const OPENING = 500

/** A run in the index. */
export interface IndexedRun {
  readonly id: string
  /** Absent if the recording cannot be read. */
  readonly summary?: RunSummary
  /** Why it cannot be read. */
  readonly problem?: string
  /** The recording's size in bytes and its time of change in milliseconds when it was read, 0 if unknown. */
  readonly size: number
  readonly changed: number
}

/** An index of runs in a file. All methods are synchronous, and throw SQLite's errors. */
export class RunIndex {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /**
   * Opens the index, and creates it if there is none.
   *
   * @param wait How long to wait for another process that writes, in milliseconds.
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
      const { journal_mode: mode } = this.#database.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
      if (mode !== 'wal') this.#database.exec('PRAGMA journal_mode = WAL')
      // What the index loses in a crash of the machine can be rebuilt from the recordings.
      this.#database.exec('PRAGMA synchronous = OFF')
      this.#prepareTables()
      this.wait(wait)
    } catch (error) {
      this.#database.close()
      throw error
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

  /** How long to wait for another process that writes, in milliseconds. */
  wait(milliseconds: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  /** Does several changes as one. */
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
    const before = this.#get('SELECT number FROM runs WHERE id = ?', id)
    const isInFlight = summary?.status === 'in-flight'
    if (before !== undefined) this.#removeNumber(Number(before['number']))
    const number = before === undefined ? this.#freeNumber(id, summary?.startedAt) : Number(before['number'])
    const text = summary === undefined ? null : JSON.stringify(summary)
    this.#run('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)', number, id, text, problem ?? null, isInFlight ? 1 : 0, size, changed)
    if (summary === undefined) return
    for (const term of termsOf(summary)) {
      const counted = this.#get(COUNT_TERM, term)
      this.#run('INSERT INTO postings VALUES (?, ?)', Number(counted?.['number']), number)
    }
  }

  remove(id: string): void {
    const run = this.#get('SELECT number FROM runs WHERE id = ?', id)
    if (run !== undefined) this.#removeNumber(Number(run['number']))
  }

  get(id: string): IndexedRun | undefined {
    const row = this.#get('SELECT * FROM runs WHERE id = ?', id)
    return row === undefined ? undefined : toIndexedRun(row)
  }

  ids(): string[] {
    return this.#all('SELECT id FROM runs ORDER BY number').map(({ id }) => String(id))
  }

  /** The runs that have no end yet, the newest first. */
  inFlight(most: number): IndexedRun[] {
    return this.#all('SELECT * FROM runs WHERE in_flight = 1 ORDER BY number DESC LIMIT ?', most).map(toIndexedRun)
  }

  /** The recordings that cannot be read. */
  unreadable(): IndexedRun[] {
    return this.#all('SELECT * FROM runs WHERE summary IS NULL AND problem IS NOT NULL ORDER BY number').map(toIndexedRun)
  }

  /** Finds runs, the newest first. */
  find(query: RunQuery): RunSummary[] {
    const terms: { readonly number: number; readonly runs: number }[] = []
    for (const term of termsOfQuery(query)) {
      const row = this.#get('SELECT number, runs FROM terms WHERE term = ?', term)
      if (row === undefined || row['runs'] === 0) return []
      terms.push({ number: Number(row['number']), runs: Number(row['runs']) })
    }
    // Starts with the rarest term.
    const numbers = terms.toSorted((a, b) => a.runs - b.runs).map(({ number }) => number)
    const [rarest, ...others] = numbers
    const from = rarest === undefined ? 'runs' : 'postings p JOIN runs ON runs.number = p.run'
    const run = rarest === undefined ? 'runs.number' : 'p.run'
    const conditions = [
      ...(rarest === undefined ? [] : ['p.term = ?']),
      ...others.map(() => `EXISTS (SELECT 1 FROM postings WHERE term = ? AND run = ${run})`),
      `${run} >= ?`,
      `${run} < ?`,
      'runs.summary IS NOT NULL',
    ]
    const since = query.since === undefined ? 0 : runNumberAt(query.since)
    const sql = `SELECT runs.summary FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${run} DESC LIMIT ?`
    const rows = this.#all(sql, ...numbers, since, this.#before(query.before), query.limit ?? -1)
    return rows.map(({ summary }) => readSummary(String(summary)))
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

  #before(id: string | undefined): number {
    if (id === undefined) return Number.MAX_SAFE_INTEGER
    const run = this.#get('SELECT number FROM runs WHERE id = ?', id)
    return run === undefined ? runNumber(id, undefined) : Number(run['number'])
  }

  #freeNumber(id: string, startedAt: string | undefined): number {
    let number = runNumber(id, startedAt)
    while (this.#get('SELECT 1 FROM runs WHERE number = ?', number) !== undefined) number += 1
    return number
  }

  #removeNumber(number: number): void {
    const row = this.#get('SELECT summary FROM runs WHERE number = ?', number)
    if (typeof row?.['summary'] === 'string')
      for (const term of termsOf(readSummary(row['summary']))) {
        this.#run('DELETE FROM postings WHERE term = (SELECT number FROM terms WHERE term = ?) AND run = ?', term, number)
        this.#run('UPDATE terms SET runs = runs - 1 WHERE term = ?', term)
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

function toIndexedRun({ id, summary, problem, size, changed }: Record<string, unknown>): IndexedRun {
  return {
    id: String(id),
    ...(typeof summary === 'string' ? { summary: readSummary(summary) } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
    size: Number(size),
    changed: Number(changed),
  }
}

/** 2020, so that numbers last for many years. */
const EPOCH = Date.UTC(2020, 0, 1)

/** How many numbers a millisecond has: runs that start in the same one get different ones. */
const IN_A_MILLISECOND = 2 ** 14

/** A number for a run, in order of time: from its start, or from its id, which begins with the start. Runs with neither come first. */
function runNumber(id: string, startedAt: string | undefined): number {
  const [, year, month, day, hours, minutes, seconds, milliseconds, digits] = ID.exec(id) ?? []
  const inId = year === undefined ? undefined : `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`
  // Within a millisecond, in the order of the ids, as far as the numbers allow.
  const place = digits === undefined ? 0 : Math.floor(Number.parseInt(digits, 16) / 4)
  return runNumberAt(inId ?? startedAt) + place
}

const ID = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})-([0-9a-f]{4})/

/** The first number that a run of that time may have. */
function runNumberAt(time: string | undefined): number {
  const milliseconds = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, milliseconds - EPOCH) * IN_A_MILLISECOND
}

/** A run in index form: with the size of its recording, and the users' flags. */
export function toIndexed(summary: RunSummary, stamp: Stamp, flags: readonly string[]): IndexedRun {
  return { id: summary.id, summary: { ...summary, flags: [...summary.flags, ...flags], bytes: stamp.size }, ...stamp }
}
