import type { Effect } from '../../../trace/boundary.ts'
import type { DriverCall } from '../driver-call.ts'
import { sessionOf } from '../sessions-of-run.ts'
import { nameCredentials, textOf } from './redis-credentials.ts'
import { type RedisReplies, repliesOf, repliesOfBatch } from './redis-replies.ts'

/** A command, or several, as a step. */
export interface RedisCall extends DriverCall {
  readonly replies: RedisReplies
}

/**
 * A command as a step: `redis GET`, with the arguments after the command's name as its input.
 *
 * @param driver The package.
 * @param command The command's name and its arguments.
 */
export function redisCall(driver: string, command: readonly unknown[]): RedisCall {
  const verb = verbOf(command)
  const args = command.slice(1)
  return { name: `${driver} ${verb}`, effect: effectOf(command), input: nameCredentials(verb, args), replies: repliesOf(verb, args) }
}

/** Several commands as one step. @param verb The way they are sent: `MULTI`, `PIPELINE`. */
export function redisBatchCall(driver: string, verb: string, commands: readonly (readonly unknown[])[]): RedisCall {
  const input = commands.map((command) => [verbOf(command), ...nameCredentials(verbOf(command), command.slice(1))])
  const effect = commands.some((command) => effectOf(command) === 'write') ? 'write' : 'read'
  const replies = repliesOfBatch(commands.map((command) => [verbOf(command), ...command.slice(1)] as const))
  return { name: `${driver} ${verb}`, effect, input, replies }
}

/** The call with its database's number, unless it is the run's first database. @param target The server's address and the database's number. */
export function inDatabase(call: RedisCall, run: object, target: string): RedisCall {
  const { database } = sessionOf(run, target, undefined)
  return database === undefined ? call : { ...call, input: { args: call.input, database } }
}

/** A command's name, in capitals. */
export function verbOf([name]: readonly unknown[]): string {
  return textOf(name).toUpperCase()
}

/** Whether a command makes the server send messages on its own. A replay cannot answer it. */
export function opensStream(verb: string): boolean {
  return streaming.has(verb)
}

/** Whether a command may change anything. An unknown command may. */
function effectOf(command: readonly unknown[]): Effect {
  const [verb, part] = [verbOf(command), textOf(command[1]).toUpperCase()]
  return reading.has(verb) || readingParts[verb]?.includes(part) === true ? 'read' : 'write'
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const streaming: ReadonlySet<string> = new Set(
  words('SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR SYNC PSYNC'),
)

/**
 * Commands that change no data: commands that Redis 8 flags as `readonly`, commands of its modules that only read, and commands that configure the
 * connection or delimit a transaction, whose commands are steps of their own. Source: `COMMAND`, and the commands of each module.
 */
const reading: ReadonlySet<string> = new Set(
  words(`
    ARCOUNT ARGET ARGETRANGE ARGREP ARINFO ARLASTITEMS ARLEN ARMGET ARNEXT AROP ARSCAN
    BITCOUNT BITFIELD_RO BITPOS DBSIZE DIGEST DUMP EVAL_RO EVALSHA_RO EXISTS EXPIRETIME FCALL_RO GEODIST GEOHASH GEOPOS GEORADIUS_RO
    GEORADIUSBYMEMBER_RO GEOSEARCH GET GETBIT GETRANGE HEXISTS HEXPIRETIME HGET HGETALL HKEYS HLEN HMGET HPEXPIRETIME HPTTL HRANDFIELD HSCAN
    HSTRLEN HTTL HVALS KEYS LCS LINDEX LLEN LOLWUT LPOS LRANGE MGET PEXPIRETIME PFCOUNT PTTL RANDOMKEY SCAN SCARD SDIFF SDIFFCARD SINTER
    SINTERCARD SISMEMBER SMEMBERS SMISMEMBER SORT_RO SRANDMEMBER SSCAN STRLEN SUBSTR SUNION SUNIONCARD TOUCH TTL TYPE VCARD VDIM VEMB VGETATTR
    VINFO VISMEMBER VLINKS VRANDMEMBER VRANGE VSIM XLEN XPENDING XRANGE XREAD XREVRANGE ZCARD ZCOUNT ZDIFF ZINTER ZINTERCARD ZLEXCOUNT ZMSCORE
    ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE ZUNION
    JSON.GET JSON.MGET JSON.TYPE JSON.STRLEN JSON.ARRLEN JSON.ARRINDEX JSON.OBJKEYS JSON.OBJLEN JSON.RESP
    FT.SEARCH FT.HYBRID FT.AGGREGATE FT.INFO FT._LIST FT.EXPLAIN FT.EXPLAINCLI FT.PROFILE FT.SPELLCHECK FT.SUGGET FT.SUGLEN FT.SYNDUMP FT.TAGVALS
    FT.DICTDUMP TS.GET TS.MGET TS.RANGE TS.REVRANGE TS.MRANGE TS.MREVRANGE TS.INFO TS.QUERYINDEX BF.EXISTS BF.MEXISTS BF.INFO BF.CARD CF.EXISTS
    CF.MEXISTS CF.COUNT CF.INFO CMS.QUERY CMS.INFO TOPK.QUERY TOPK.COUNT TOPK.LIST TOPK.INFO TDIGEST.QUANTILE TDIGEST.CDF TDIGEST.MIN TDIGEST.MAX
    TDIGEST.RANK TDIGEST.REVRANK TDIGEST.BYRANK TDIGEST.BYREVRANK TDIGEST.INFO TDIGEST.TRIMMED_MEAN
    AUTH HELLO CLIENT ECHO PING QUIT RESET SELECT ASKING READONLY READWRITE MULTI EXEC DISCARD WATCH UNWATCH
    COMMAND INFO LASTSAVE LATENCY OBJECT PUBSUB ROLE TIME WAIT WAITAOF XINFO
  `),
)

/** Commands with subcommands that change nothing. */
const readingParts: Readonly<Record<string, readonly string[]>> = {
  ACL: words('CAT DRYRUN GENPASS GETUSER LIST LOG USERS WHOAMI'),
  CLUSTER: words('COUNTKEYSINSLOT GETKEYSINSLOT INFO KEYSLOT LINKS MYID MYSHARDID NODES REPLICAS SHARDS SLAVES SLOTS'),
  CONFIG: words('GET'),
  FUNCTION: words('DUMP LIST STATS'),
  MEMORY: words('DOCTOR MALLOC-STATS STATS USAGE'),
  MODULE: words('LIST'),
  SCRIPT: words('EXISTS'),
  SENTINEL: words('CKQUORUM GET-MASTER-ADDR-BY-NAME MASTER MASTERS MYID REPLICAS SENTINELS SLAVES'),
  SLOWLOG: words('GET LEN'),
}
