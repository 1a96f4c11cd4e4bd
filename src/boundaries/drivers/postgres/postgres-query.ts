/** The class of server errors. */
export type PostgresErrorClass = new (fields: object) => Error

/** A query of postgres, which is sent when it is awaited. Source: postgres 3, src/query.js. */
export interface PostgresQuery {
  /** Empty until its file is read. */
  strings: readonly string[]
  readonly args: readonly unknown[]
  readonly handler: (query: PostgresQuery) => unknown
  /** One function for all queries of a client, including those in transactions; null after use. */
  readonly canceller?: object | null
  readonly options: { readonly onexecute?: (connection: object) => void }
  executed: boolean
  readonly isRaw?: boolean | 'values'
  readonly onlyDescribe?: boolean
  readonly streaming?: boolean
  readonly cursorRows?: number
  handle(): unknown
  resolve: (result: unknown) => unknown
  reject: (error: unknown) => unknown
  /** Gets each row of a query that does not collect its rows. */
  forEachFn?: (row: unknown, result: unknown) => unknown
  /** Gets some rows of a cursor; returns a promise that resolves when more are wanted. */
  cursorFn?: (rows: unknown) => unknown
}

/** A list of rows, with the other data of the result. Source: postgres 3, src/result.js. */
export interface PostgresResult extends Array<unknown> {
  readonly count?: number | null
  readonly command?: string | null
  readonly state?: { readonly status?: string } | null
  readonly columns?: readonly PostgresColumn[] | null
  readonly statement?: { readonly string?: string } | null
}

/** A column of a result. */
export interface PostgresColumn {
  readonly name: string
  readonly type: number
  readonly table?: number
  readonly number?: number
}
