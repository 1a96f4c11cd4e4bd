/**
 * A change of several keys is a script, so that it is atomic and can be repeated. `KEYS[1]` is the stream of finished
 * logs. All other keys begin like it, within the same hash tag, so that a cluster keeps them in one slot:
 *
 * - `…:logs` a stream of finished logs: `id`, and `log` or the number of its `pieces`
 * - `…:entries` the stream's entry of each finished log, by run
 * - `…:pieces:<id>` a log in pieces: a long one, or the log of a run in flight
 * - `…:pieces:<id>~new` the pieces that will replace them
 * - `…:ids` the runs that have a recording; all scores are 0, so that they are sorted by id
 * - `…:summaries`, `…:terms`, `…:flags` by run, as JSON
 * - `…:term:<term>` the runs of each term; all runs have the empty term
 */
const KEYS_OF = `
local base = string.sub(KEYS[1], 1, -5)
local function unindex(id)
  local terms = redis.call('HGET', base .. 'terms', id)
  if terms then
    for _, term in ipairs(cjson.decode(terms)) do redis.call('ZREM', base .. 'term:' .. term, id) end
    redis.call('ZREM', base .. 'term:flagged', id)
  end
end
local function index(id, summary, terms)
  if summary == '' then return end
  unindex(id)
  for _, term in ipairs(cjson.decode(terms)) do redis.call('ZADD', base .. 'term:' .. term, 0, id) end
  if redis.call('HEXISTS', base .. 'flags', id) == 1 then redis.call('ZADD', base .. 'term:flagged', 0, id) end
  redis.call('HSET', base .. 'summaries', id, summary)
  redis.call('HSET', base .. 'terms', id, terms)
end
`

/** Arguments: id, summary, terms. */
export const INDEX: string = `${KEYS_OF}
index(ARGV[1], ARGV[2], ARGV[3])
return 1`

/** Arguments: id, the number of pieces before this one, the piece. */
export const PUSH: string = `${KEYS_OF}
local pieces = base .. 'pieces:' .. ARGV[1]
if redis.call('LLEN', pieces) == tonumber(ARGV[2]) then redis.call('RPUSH', pieces, ARGV[3]) end
redis.call('ZADD', base .. 'ids', 0, ARGV[1])
return 1`

/** Arguments: id, summary, terms, the number of pieces or 0, the log if there are none, flags as JSON or nothing. */
export const FINISH: string = `${KEYS_OF}
local id = ARGV[1]
if redis.call('HEXISTS', base .. 'entries', id) == 1 then return 0 end
local count = tonumber(ARGV[4])
if count > 0 and redis.call('LLEN', base .. 'pieces:' .. id) ~= count then return redis.error_reply('ERR pieces of the log are missing') end
if ARGV[6] ~= '' then redis.call('HSETNX', base .. 'flags', id, ARGV[6]) end
local entry
if count > 0 then entry = redis.call('XADD', KEYS[1], '*', 'id', id, 'pieces', count)
else entry = redis.call('XADD', KEYS[1], '*', 'id', id, 'log', ARGV[5]) end
redis.call('HSET', base .. 'entries', id, entry)
redis.call('ZADD', base .. 'ids', 0, id)
index(id, ARGV[2], ARGV[3])
return 1`

/**
 * Arguments: id, summary, terms, the number of new pieces or 0, the log if there are none. Replaces a log: new pieces wait in `…:pieces:<id>~new`. Returns 0
 * if there is no such log.
 */
export const REPLACE: string = `${KEYS_OF}
local id = ARGV[1]
local count = tonumber(ARGV[4])
local pieces = base .. 'pieces:' .. id
local new = pieces .. '~new'
local old = redis.call('HGET', base .. 'entries', id)
if not old and redis.call('EXISTS', pieces) == 0 then return 0 end
if redis.call('LLEN', new) ~= count then return redis.error_reply('ERR pieces of the log are missing') end
redis.call('DEL', pieces)
if count > 0 then redis.call('RENAME', new, pieces) end
if old then
  local entry
  if count > 0 then entry = redis.call('XADD', KEYS[1], '*', 'id', id, 'pieces', count)
  else entry = redis.call('XADD', KEYS[1], '*', 'id', id, 'log', ARGV[5]) end
  redis.call('XDEL', KEYS[1], old)
  redis.call('HSET', base .. 'entries', id, entry)
elseif count == 0 then redis.call('RPUSH', pieces, ARGV[5]) end
index(id, ARGV[2], ARGV[3])
return 1`

/** Arguments: ids. Returns the ids that existed. */
export const REMOVE: string = `${KEYS_OF}
local removed = {}
for _, id in ipairs(ARGV) do
  local entry = redis.call('HGET', base .. 'entries', id)
  if entry then redis.call('XDEL', KEYS[1], entry) end
  if redis.call('ZREM', base .. 'ids', id) == 1 then table.insert(removed, id) end
  unindex(id)
  redis.call('DEL', base .. 'pieces:' .. id, base .. 'pieces:' .. id .. '~new')
  for _, name in ipairs({'entries', 'summaries', 'terms', 'flags'}) do redis.call('HDEL', base .. name, id) end
end
return removed`

/** Arguments: id, the reason as JSON. */
export const FLAG: string = `${KEYS_OF}
local id = ARGV[1]
if not redis.call('ZSCORE', base .. 'ids', id) then return 0 end
local flags = redis.call('HGET', base .. 'flags', id)
if flags then flags = string.sub(flags, 1, -2) .. ',' .. ARGV[2] .. ']' else flags = '[' .. ARGV[2] .. ']' end
redis.call('HSET', base .. 'flags', id, flags)
if redis.call('HEXISTS', base .. 'summaries', id) == 1 then redis.call('ZADD', base .. 'term:flagged', 0, id) end
return 1`

/** Arguments: the holder, the duration. Renews a lease; an expired one may be taken again. */
export const RENEW: string = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

/** Argument: the holder. */
export const RELEASE: string = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`

/**
 * Arguments: group, consumer, how many, how long another consumer may be silent. Returns entries that a silent consumer left, then new ones. A script,
 * because the answers of these commands differ between versions of the protocol.
 */
export const CLAIM: string = `
pcall(redis.call, 'XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
local claimed = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[4], '0', 'COUNT', ARGV[3])[2]
local entries = {}
for _, entry in ipairs(claimed) do if entry and entry[2] then table.insert(entries, entry) end end
local room = tonumber(ARGV[3]) - #entries
if room > 0 then
  local read = redis.call('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', room, 'STREAMS', KEYS[1], '>')
  if read then for _, entry in ipairs(read[1][2]) do table.insert(entries, entry) end end
end
return entries`
