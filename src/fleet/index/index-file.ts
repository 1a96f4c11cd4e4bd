import type { AsyncBuffer, FileMetaData, RowGroup } from 'hyparquet'
import type { ColumnSource } from 'hyparquet-writer'
import { builtins } from '../../node/builtins.ts'
import type { RunQuery } from '../../stores/run-summary.ts'
import { isFound, statusesOf } from '../../stores/run-terms.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { loadPeer } from '../load-peer.ts'
import { fromRow, type IndexedRun, type IndexRow, toRow } from './indexed-run.ts'

/** The number of runs in a row group, the unit of reading. */
export const GROUP = 2000

/**
 * The columns. Numbers that stay below 2³¹ are INT32. For a column with statistics, each row group stores the minimum and the maximum, so that a
 * search skips row groups without a matching run. Ids are sorted.
 */
const columns: readonly Omit<ColumnSource, 'data'>[] = [
  { name: 'id', type: 'STRING', statistics: true, encoding: 'DELTA_BYTE_ARRAY' },
  { name: 'trace_id', type: 'STRING' },
  { name: 'agent', type: 'STRING', statistics: true },
  { name: 'agent_version', type: 'STRING', nullable: true },
  { name: 'status', type: 'STRING', statistics: true },
  { name: 'started_at', type: 'TIMESTAMP', statistics: true },
  { name: 'duration_ms', type: 'DOUBLE', nullable: true },
  { name: 'steps', type: 'INT32' },
  { name: 'model_calls', type: 'INT32' },
  { name: 'tool_calls', type: 'INT32' },
  { name: 'models', type: 'STRING' },
  { name: 'tools', type: 'STRING' },
  { name: 'tags', type: 'STRING' },
  { name: 'error_name', type: 'STRING', nullable: true },
  { name: 'error_message', type: 'STRING', nullable: true },
  { name: 'flags', type: 'STRING', nullable: true },
  { name: 'repeated_side_effects', type: 'INT32' },
  { name: 'input_tokens', type: 'DOUBLE' },
  { name: 'output_tokens', type: 'DOUBLE' },
  { name: 'more', type: 'STRING', nullable: true },
  { name: 'pack', type: 'STRING' },
  { name: 'pack_offset', type: 'INT32' },
  { name: 'bytes', type: 'INT32' },
  { name: 'encoding', type: 'STRING' },
  { name: 'dictionary', type: 'STRING', nullable: true },
  { name: 'user_flags', type: 'STRING', nullable: true },
]

/** How much of the end of an index is read first: about the footer of an hour with fifty thousand runs. */
const FOOTER = 65_536

/** Writes runs, the oldest first, as a Parquet file that any engine can read. */
export async function writeIndex(runs: readonly IndexedRun[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await loadPeer('hyparquet-writer', () => import('hyparquet-writer'))
  const rows = runs.map(toRow)
  const columnData = columns.map((column): ColumnSource => {
    return { nullable: false, statistics: false, offsetIndex: false, ...column, data: rows.map((row) => row[column.name]) }
  })
  return new Uint8Array(
    parquetWriteBuffer({
      columnData,
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes: Uint8Array) => builtins.zlib.zstdCompressSync(bytes) },
      rowGroupSize: GROUP,
      statisticsTruncateLength: Infinity,
      createdBy: 'goldenrun',
    }),
  )
}

/** An index that is read in ranges. */
export interface IndexReader {
  /** The number of row groups. */
  readonly groups: number
  /** Reads the runs of a row group, the oldest first. */
  read(group: number): Promise<readonly IndexedRun[]>
  /** Finds the runs that match, the oldest first. If a row group has none, only the columns that the query needs are decoded. */
  find(group: number, query: RunQuery): Promise<readonly IndexedRun[]>
  /** Reads the ids of a row group. */
  readIds(group: number): Promise<readonly string[]>
  /** Returns the row groups that may hold a run; ids are sorted. */
  groupsOf(id: string): readonly number[]
  /** Returns whether a row group may hold runs that match, by its statistics. */
  mayHold(group: number, query: RunQuery): boolean
}

/**
 * Opens an index.
 *
 * @param file Reads ranges of the file.
 */
export async function openIndex(file: AsyncBuffer): Promise<IndexReader> {
  const { parquetMetadataAsync, parquetReadObjects } = await loadPeer('hyparquet', () => import('hyparquet'))
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: FOOTER })
  const starts = startsOf(metadata)
  const compressors = { ZSTD: (bytes: Uint8Array) => builtins.zlib.zstdDecompressSync(bytes) }
  const readRows = (group: number, chosen?: string[], from = file): Promise<IndexRow[]> =>
    parquetReadObjects({
      file: from,
      metadata,
      compressors,
      rowStart: starts[group] ?? 0,
      rowEnd: starts[group + 1] ?? 0,
      ...(chosen && { columns: chosen }),
    })
  return {
    groups: metadata.row_groups.length,
    read: async (group) => (await readRows(group)).map(fromRow),
    async find(group, query) {
      const bytes = await loadGroup(file, metadata.row_groups[group])
      const asked = columnsOf(query)
      const isCandidate = createCandidateTest(asked, query)
      if (asked.length > 0 && !(await readRows(group, asked, bytes)).some(isCandidate)) return []
      return (await readRows(group, undefined, bytes)).map(fromRow).filter(({ summary }) => isFound(summary, query))
    },
    readIds: async (group) => (await readRows(group, ['id'])).map((row) => String(row['id'])),
    groupsOf: (id) => metadata.row_groups.flatMap((row, group) => (isWithin(id, rangeOf(row, 'id')) ? [group] : [])),
    mayHold(group, { before, since, until, agent, ...query }) {
      const row = metadata.row_groups[group]
      if (row === undefined) return false
      const { least: first = '' } = rangeOf(row, 'id')
      const started = rangeOf(row, 'started_at')
      if (before !== undefined && first >= before) return false
      if (since !== undefined && started.most !== undefined && started.most < toIso(since)) return false
      if (until !== undefined && started.least !== undefined && started.least >= toIso(until)) return false
      if (agent !== undefined && !isWithin(agent, rangeOf(row, 'agent'))) return false
      return statusesOf(query)?.some((status) => isWithin(status, rangeOf(row, 'status'))) ?? true
    },
  }
}

/** Placeholders for columns that were not read. */
const UNREAD: IndexRow = { started_at: new Date(0), models: '[]', tools: '[]', tags: '{}' }

/**
 * Creates a test for whether a row of some columns may match. Its results are cached, because most rows share their values. Times and ids are
 * different in every row and left to the statistics.
 */
function createCandidateTest(
  asked: readonly string[],
  { since: _since, until: _until, before: _before, ...query }: RunQuery,
): (row: IndexRow) => boolean {
  const known = new Map<string, boolean>()
  return (row) =>
    knownOrMade(known, asked.map((name) => row[name]).join('\n'), () => isFound(fromRow({ ...UNREAD, ...row }).summary, query))
}

/** Returns the columns that decide whether a run may match. */
function columnsOf(query: RunQuery): string[] {
  return [...new Set(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : (columnsOfField[name] ?? []))))]
}

const columnsOfField: Readonly<Record<string, readonly string[]>> = {
  agent: ['agent'],
  agentVersion: ['agent_version'],
  status: ['status'],
  traceId: ['trace_id'],
  tags: ['tags'],
  model: ['models'],
  tool: ['tools'],
  error: ['error_name', 'error_message'],
  repeatedSideEffects: ['repeated_side_effects'],
  idempotencyKey: ['more'],
  flagged: ['flags'],
}

/** Reads the bytes of a row group in one request. */
async function loadGroup(file: AsyncBuffer, group: RowGroup | undefined): Promise<AsyncBuffer> {
  const chunks = group?.columns.flatMap(({ meta_data: chunk }) => {
    if (chunk === undefined) return []
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset)
    return [{ start, end: start + Number(chunk.total_compressed_size) }]
  })
  const start = Math.min(...(chunks ?? []).map((chunk) => chunk.start))
  const bytes = await file.slice(start, Math.max(...(chunks ?? []).map((chunk) => chunk.end)))
  return { byteLength: file.byteLength, slice: (from, to) => bytes.slice(from - start, to === undefined ? to : to - start) }
}

/** The minimum and the maximum of a column in a row group, if known. Times as ISO 8601. */
interface ColumnRange {
  readonly least?: string
  readonly most?: string
}

function rangeOf({ columns: chunks }: RowGroup, name: string): ColumnRange {
  const { min_value: least, max_value: most } = chunks[columns.findIndex((column) => column.name === name)]?.meta_data?.statistics ?? {}
  if (least === undefined || most === undefined) return {}
  return { least: toText(least), most: toText(most) }
}

function isWithin(value: string, { least, most }: ColumnRange): boolean {
  return least === undefined || most === undefined || (least <= value && value <= most)
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

function toIso(time: string): string {
  return new Date(time).toISOString()
}

function startsOf({ row_groups: groups }: FileMetaData): number[] {
  const starts = [0]
  for (const { num_rows: rows } of groups) starts.push((starts.at(-1) ?? 0) + Number(rows))
  return starts
}
