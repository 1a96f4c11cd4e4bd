import { expect, it } from 'vitest'
import { readControl } from '../../src/travel/databases/transaction-control.ts'

it.each([
  ['postgres', 'SELECT 1', 'none'],
  ['postgres', "UPDATE a SET b = 'x; commit'; UPDATE a SET c = 'end'", 'none'],
  ['postgres', 'DO $$ BEGIN UPDATE a SET b = 1; END $$', 'none'],
  ['postgres', 'CREATE FUNCTION f() RETURNS int AS $f$ BEGIN RETURN 1; END $f$ LANGUAGE plpgsql; SELECT f()', 'none'],
  ['postgres', '/* a /* b */ ; commit; */ SELECT 1', 'none'],
  ['postgres', 'BEGIN ISOLATION LEVEL SERIALIZABLE', 'begins'],
  ['postgres', '/* x */ ROLLBACK;', 'undoes'],
  ['postgres', 'END WORK', 'keeps'],
  ['postgres', 'ROLLBACK TRANSACTION TO a', 'savepoint'],
  ['postgres', 'SAVEPOINT "a;b"', 'savepoint'],
  ['mysql', 'BEGIN WORK', 'begins'],
  ['mysql', '/*!50000 START TRANSACTION */', 'begins'],
  ['mysql', 'COMMIT -- now', 'keeps'],
  ['mysql', 'SET @@autocommit = 1, @x = 2', 'turns autocommit on'],
  ['mysql', 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'configures'],
  ['mysql', 'SET NAMES utf8mb4', 'none'],
  ['mysql', 'CREATE TEMPORARY TABLE a (b int)', 'none'],
  ['mysql', "INSERT INTO a VALUES ('it\\'s; commit')", 'none'],
] as const)('with %s, %s: %s', (dialect, sql, control) => {
  expect(readControl(sql, dialect).control).toBe(control)
})

it('knows a transaction that follows another', () => {
  expect(readControl('COMMIT AND CHAIN', 'postgres')).toEqual({ control: 'keeps', chains: true })
})

it.each([
  ['postgres', 'UPDATE a SET b = 1; COMMIT'],
  ['postgres', 'UPDATE a SET b = 1; /* ; */ COMMIT WORK;'],
  ['postgres', 'ROLLBACK; UPDATE a SET b = 1; COMMIT'],
  ['postgres', 'UPDATE a SET b = 1; END'],
  ['postgres', "DO $$ BEGIN UPDATE a SET b = 'x;commit'; END $$; COMMIT"],
  ['postgres', "SELECT 'it\\'; COMMIT; --'"],
  ['postgres', "SELECT E'it\\'s'; COMMIT"],
  ['postgres', "/* /* */ ' */ ; COMMIT; SELECT '"],
  ['postgres', 'SELECT 1 AS a$$; COMMIT; SELECT 2 AS b$$'],
  ['postgres', "PREPARE TRANSACTION 'a'"],
  ['postgres', "COMMIT PREPARED 'a'"],
  ['mysql', 'TRUNCATE TABLE a'],
  ['mysql', '/* x */ alter table a add b int'],
  ['mysql', '/*!50000 DROP TABLE a */'],
  ['mysql', 'CREATE TABLE a (b int)'],
  ['mysql', 'LOCK TABLES a WRITE'],
  ['mysql', 'GRANT SELECT ON a TO b'],
  ['mysql', 'ANALYZE TABLE a'],
  ['mysql', "SET PASSWORD = 'x'"],
  ['mysql', 'SET STATEMENT max_statement_time = 1 FOR TRUNCATE a'],
  ['mysql', 'SET autocommit = @a'],
  ['mysql', 'CALL a()'],
  ['mysql', "EXECUTE IMMEDIATE 'TRUNCATE a'"],
  ['mysql', 'BEGIN NOT ATOMIC COMMIT; END'],
  ['mysql', 'XA COMMIT 1'],
  ['mysql', 'SELECT 1--1; COMMIT'],
  ['mysql', 'SELECT 1 AS $$; COMMIT; SELECT 2 AS $$'],
] as const)('refuses with %s %s', (dialect, sql) => {
  expect(() => readControl(sql, dialect)).toThrow(/^A sandbox that is rolled back does not run /)
})
