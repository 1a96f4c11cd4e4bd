import fs from 'node:fs'
import type { PostgresQuery } from './postgres-query.ts'

type OnRead = (error: unknown, text?: string) => unknown

/** Whether a query comes from a file that has not been read yet: `sql.file('orders.sql')`. */
export function isOfFile({ strings }: PostgresQuery): boolean {
  return strings.length === 0
}

/**
 * Reads a query's file synchronously, so that its statement is known at the call. postgres reads it by `fs.readFile` when the query is handed
 * on; the text, or the error, is the same.
 *
 * @returns Hands the query on like postgres. Undefined if the file cannot be read: the query has then failed.
 */
export function readFileOf(query: PostgresQuery): (() => unknown) | undefined {
  const { readFile } = fs
  let given: readonly unknown[] | undefined
  fs.readFile = ((...args: unknown[]) => void (given = args)) as unknown as typeof fs.readFile
  try {
    Reflect.apply(query.handler, undefined, [query])
  } finally {
    fs.readFile = readFile
  }
  const [path, options, onRead] = (given ?? []) as readonly [string, 'utf8', OnRead | undefined]
  if (onRead === undefined) return undefined
  try {
    const text = fs.readFileSync(path, options)
    query.strings = [text]
    return () => onRead(null, text)
  } catch (error) {
    onRead(error)
    return undefined
  }
}
