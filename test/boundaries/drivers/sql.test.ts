import { expect, it } from 'vitest'
import { autocommitOf, describeSql, transactionPart } from '../../../src/boundaries/drivers/sql.ts'

it.each([
  'SELECT * FROM orders',
  '  (select 1) union (select 2)',
  "SELECT 'DELETE FROM orders'",
  'SELECT "update" FROM orders -- delete them',
  '/* insert */ SELECT 1',
  'WITH recent AS (SELECT * FROM orders) SELECT * FROM recent',
  'WITH recent AS (SELECT * FROM orders FOR UPDATE) SELECT replace(id, $1, $2) FROM recent',
  'SELECT * FROM orders FOR UPDATE',
  'SELECT $tag$; DROP TABLE orders; $tag$ AS text',
  'EXPLAIN SELECT 1',
  'BEGIN',
  'START TRANSACTION',
  'SAVEPOINT one',
  'SET search_path = shop',
  'SHOW TABLES',
  'VALUES (1), (2)',
  'PRAGMA table_info(orders)',
  '',
])('takes for reading: %s', (sql) => {
  expect(describeSql(sql).effect).toBe('read')
})

it.each([
  ['INSERT', 'INSERT INTO orders VALUES (1)'],
  ['UPDATE', 'update orders set total = 1'],
  ['DELETE', 'SELECT 1; DELETE FROM orders'],
  ['WITH', 'WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone'],
  ['EXPLAIN', 'EXPLAIN ANALYZE DELETE FROM orders'],
  ['SELECT', 'SELECT * INTO copy FROM orders'],
  ['CREATE', 'CREATE TABLE orders (id text)'],
  ['CALL', 'CALL refund(1)'],
  ['DO', 'DO $$ BEGIN PERFORM 1; END $$'],
  ['TRUNCATE', 'TRUNCATE orders'],
  ['MERGE', 'MERGE INTO orders USING changes ON true WHEN MATCHED THEN DELETE'],
  ['REPLACE', 'REPLACE INTO orders VALUES (1)'],
  // In one of the databases the backslash escapes the quote, in the other it does not.
  ['DROP', "SELECT '\\'; DROP TABLE orders; --'"],
  ['DELETE', "SELECT 'it\\'s'; DELETE FROM orders; SELECT '"],
])('takes for a write, %s: %s', (verb, sql) => {
  expect(describeSql(sql)).toEqual({ verb, effect: 'write' })
})

it('knows where transactions begin and end', () => {
  const parts = [
    'BEGIN',
    'start transaction read only',
    'COMMIT',
    'END',
    'ROLLBACK',
    'ROLLBACK TO SAVEPOINT one',
    'ROLLBACK WORK TO one',
    'SELECT 1',
  ]
  expect(parts.map(transactionPart)).toEqual(['begins', 'begins', 'ends', 'ends', 'ends', undefined, undefined, undefined])
})

it.each([
  ['SET autocommit=0', 'turned off'],
  ['set @@autocommit = off', 'turned off'],
  ['SET SESSION autocommit = FALSE', 'turned off'],
  ["SET sql_mode = 'ANSI', @@session.autocommit := 0", 'turned off'],
  ['SET LOCAL autocommit = 1', 'turned on'],
  ['SET autocommit = ON, time_zone = "+00:00"', 'turned on'],
  ['SET @autocommit = 0', undefined],
  ['SET GLOBAL autocommit = 0', undefined],
  ['SET autocommit = 0 + @one', undefined],
  ['SELECT @@autocommit = 0', undefined],
  ["SET @text = 'autocommit=0'", undefined],
])('knows whether statements are committed by themselves: %s', (sql, expected) => {
  expect(autocommitOf(sql)).toBe(expected)
})
