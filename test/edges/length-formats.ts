/** Formats that state how long a text is, or where something begins. Each is written and read here as its specification says. */

/** A text in a format, with the text `tail` behind it. */
export interface Format {
  write(text: string): Buffer
  /** Returns what is behind the text. Throws if the format cannot be read. */
  read(bytes: Buffer): string
}

const tail = 'tail'

/** How a format states a length: the bytes that it writes, and the length and the bytes that it reads. */
interface Prefix {
  write(length: number): Buffer | string
  read(bytes: Buffer): readonly [length: number, size: number]
}

function fixed(size: number, write: (bytes: Buffer, length: number) => unknown, read: (bytes: Buffer) => number): Prefix {
  return {
    write: (length) => {
      const bytes = Buffer.alloc(size)
      write(bytes, length)
      return bytes
    },
    read: (bytes) => [read(bytes), size],
  }
}

/** Groups of seven bits, the lowest first; the highest bit says that more follow. */
const leb128: Prefix = {
  write: (length) => (length < 128 ? Buffer.from([length]) : Buffer.from([(length & 127) | 128, length >> 7])),
  read: (bytes) => {
    const [first = 0, second = 0] = bytes
    return first < 128 ? [first, 1] : [(first & 127) | (second << 7), 2]
  },
}

/** The same, the highest first. */
const vlq: Prefix = {
  write: (length) => (length < 128 ? Buffer.from([length]) : Buffer.from([(length >> 7) | 128, length & 127])),
  read: (bytes) => {
    const [first = 0, second = 0] = bytes
    return first < 128 ? [first, 1] : [((first & 127) << 7) | second, 2]
  },
}

/** A tag, and a length of one byte, or of as many as the first says. Source: X.690, section 8.1.3. */
const ber: Prefix = {
  write: (length) => (length < 128 ? Buffer.from([0x0c, length]) : Buffer.from([0x0c, 0x81, length])),
  read: (bytes) => (bytes.readUInt8(1) < 128 ? [bytes.readUInt8(1), 2] : [bytes.readUInt8(2), 3]),
}

function matched(pattern: RegExp, bytes: Buffer): RegExpExecArray {
  const found = pattern.exec(bytes.toString('latin1'))
  if (found === null) throw new Error(`nothing like ${pattern} in ${bytes.toString('latin1')}`)
  return found
}

/** A length in digits. */
function printed(write: (length: number) => string, pattern: RegExp, radix = 10): Prefix {
  return {
    write,
    read: (bytes) => {
      const [whole, digits = ''] = matched(pattern, bytes)
      return [Number.parseInt(digits, radix), whole.length]
    },
  }
}

/** Formats that write a length before each text. @param end What comes behind each text. */
function prefixed(prefix: Prefix, end = ''): Format {
  const put = (text: string): Buffer => Buffer.concat([Buffer.from(prefix.write(text.length)), Buffer.from(text + end)])
  return {
    write: (text) => Buffer.concat([put(text), put(tail)]),
    read: (bytes) => {
      const take = (from: Buffer): readonly [string, Buffer] => {
        const [length, size] = prefix.read(from)
        const after = size + length
        if (after + end.length > from.length || from.toString('latin1', after, after + end.length) !== end) throw new Error('a text is cut')
        return [from.toString('latin1', size, after), from.subarray(after + end.length)]
      }
      const [, rest] = take(bytes)
      const [last, nothing] = take(rest)
      if (nothing.length > 0) throw new Error(`${nothing.length} bytes are left`)
      return last
    },
  }
}

/** Formats in which a table says where each text, which ends with a zero, begins. */
function withTable(
  size: number,
  write: (bytes: Buffer, value: number, at: number) => unknown,
  read: (bytes: Buffer, at: number) => number,
): Format {
  return {
    write: (text) => {
      const head = Buffer.alloc(size * 2)
      write(head, size * 2, 0)
      write(head, size * 2 + text.length + 1, size)
      return Buffer.concat([head, Buffer.from(`${text}\0${tail}`)])
    },
    read: (bytes) => bytes.toString('latin1', read(bytes, size)),
  }
}

/** Formats whose fields have a fixed width. */
function inColumns(width: number, filler: string): Format {
  return {
    write: (text) => Buffer.from(`id-000001 ${text.padEnd(width, filler)}${tail}`),
    read: (bytes) => bytes.toString('latin1', 10 + width),
  }
}

export const formats: Readonly<Record<string, Format>> = {
  'a length of one byte (Pascal strings, SOCKS 5)': prefixed(
    fixed(
      1,
      (b, n) => b.writeUInt8(n),
      (b) => b.readUInt8(),
    ),
  ),
  'u16, big end first (MQTT, Java’s writeUTF, TLS)': prefixed(
    fixed(
      2,
      (b, n) => b.writeUInt16BE(n),
      (b) => b.readUInt16BE(),
    ),
  ),
  'u16, little end first (SMB)': prefixed(
    fixed(
      2,
      (b, n) => b.writeUInt16LE(n),
      (b) => b.readUInt16LE(),
    ),
  ),
  'u24, big end first (HTTP/2 frames)': prefixed(
    fixed(
      9,
      (b, n) => b.writeUIntBE(n, 0, 3),
      (b) => b.readUIntBE(0, 3),
    ),
  ),
  'u24, little end first (packets of MySQL)': prefixed(
    fixed(
      4,
      (b, n) => b.writeUIntLE(n, 0, 3),
      (b) => b.readUIntLE(0, 3),
    ),
  ),
  'u32, big end first (Thrift, SSH)': prefixed(
    fixed(
      4,
      (b, n) => b.writeUInt32BE(n),
      (b) => b.readUInt32BE(),
    ),
  ),
  'u32, little end first (ROS, WAV)': prefixed(
    fixed(
      4,
      (b, n) => b.writeUInt32LE(n),
      (b) => b.readUInt32LE(),
    ),
  ),
  'u64, little end first (ClickHouse’s native, Nix)': prefixed(
    fixed(
      8,
      (b, n) => b.writeBigUInt64LE(BigInt(n)),
      (b) => Number(b.readBigUInt64LE()),
    ),
  ),
  'u64, big end first (MP4’s long boxes)': prefixed(
    fixed(
      8,
      (b, n) => b.writeBigUInt64BE(BigInt(n)),
      (b) => Number(b.readBigUInt64BE()),
    ),
  ),
  'a length that counts itself (messages of PostgreSQL)': prefixed(
    fixed(
      5,
      (b, n) => b.writeUInt32BE(n + 4, 1),
      (b) => b.readUInt32BE(1) - 4,
    ),
  ),
  'a length that counts its head (boxes of MP4)': prefixed(
    fixed(
      8,
      (b, n) => b.writeUInt32BE(n + 8),
      (b) => b.readUInt32BE() - 8,
    ),
  ),
  'a length of syncsafe bytes (ID3)': prefixed(
    fixed(
      4,
      (b, n) => b.writeUInt32BE(((n >> 7) << 8) | (n & 127)),
      (b) => (b.readUInt8(2) << 7) | b.readUInt8(3),
    ),
  ),
  'a zigzag number (Avro)': prefixed({ write: (n) => leb128.write(n * 2), read: (b) => [leb128.read(b)[0] / 2, leb128.read(b)[1]] }),
  'LEB128 (protobuf’s delimited messages, WebAssembly)': prefixed(leb128),
  'VLQ (MIDI, Git’s offsets)': prefixed(vlq),
  'BER (LDAP, SNMP, certificates)': prefixed(ber),
  'MessagePack’s str 8': prefixed({ write: (n) => Buffer.from([0xd9, n]), read: (b) => [b.readUInt8(1), 2] }),
  'MessagePack’s str 16': prefixed({ write: (n) => Buffer.from([0xda, 0, n]), read: (b) => [b.readUInt16BE(1), 3] }),
  UBJSON: prefixed({ write: (n) => Buffer.from([0x53, 0x55, n]), read: (b) => [b.readUInt8(2), 3] }),
  'AMF 0': prefixed({ write: (n) => Buffer.from([2, 0, n]), read: (b) => [b.readUInt16BE(1), 3] }),
  'EBML (Matroska)': prefixed({ write: (n) => Buffer.from([0x86, 0x80 | n]), read: (b) => [b.readUInt8(1) & 127, 2] }),
  'RADIUS, whose lengths count their type': prefixed({ write: (n) => Buffer.from([1, n + 2]), read: (b) => [b.readUInt8(1) - 2, 2] }),
  'options of DHCP': prefixed({ write: (n) => Buffer.from([12, n]), read: (b) => [b.readUInt8(1), 2] }),
  'texts of DNS': prefixed({ write: (n) => Buffer.from([n]), read: (b) => [b.readUInt8(), 1] }),
  'frames of a WebSocket': prefixed({ write: (n) => Buffer.from([0x81, n]), read: (b) => [b.readUInt8(1) & 127, 2] }),
  'records of TLS': prefixed({ write: (n) => Buffer.from([23, 3, 3, 0, n]), read: (b) => [b.readUInt16BE(3), 5] }),
  'records of FastCGI': prefixed({ write: (n) => Buffer.from([1, 6, 0, 1, 0, n, 0, 0]), read: (b) => [b.readUInt16BE(4), 8] }),
  'frames of gRPC': prefixed({ write: (n) => Buffer.from([0, 0, 0, 0, n]), read: (b) => [b.readUInt32BE(1), 5] }),
  'pairs of AMQP': prefixed({ write: (n) => Buffer.from([0x53, 0, 0, 0, n]), read: (b) => [b.readUInt32BE(1), 5] }),
  netstrings: prefixed(
    printed((n) => `${n}:`, /^(\d+):/),
    ',',
  ),
  'bencode (torrents)': prefixed(printed((n) => `${n}:`, /^(\d+):/)),
  'Redis’ bulk strings': prefixed(
    printed((n) => `$${n}\r\n`, /^\$(\d+)\r\n/),
    '\r\n',
  ),
  'PHP’s serialize': prefixed(
    printed((n) => `s:${n}:"`, /^s:(\d+):"/),
    '";',
  ),
  'chunks of HTTP/1.1': prefixed(
    printed((n) => `${n.toString(16)}\r\n`, /^([\da-f]+)\r\n/, 16),
    '\r\n',
  ),
  'records of pax': prefixed(
    { write: (n) => `${String(n + 14).padStart(2, '0')} comment=`, read: (b) => [Number(b.toString('latin1', 0, 2)) - 14, 11] },
    '\n\n\n',
  ),
  'octet counting of syslog': prefixed(printed((n) => `${n} `, /^(\d+) /)),
  'literals of IMAP': prefixed(
    printed((n) => `{${n}}\r\n`, /^\{(\d+)\}\r\n/),
    '\r\n',
  ),
  'frames of STOMP': prefixed(
    printed((n) => `MESSAGE\ncontent-length:${n}\n\n`, /^MESSAGE\ncontent-length:(\d+)\n\n/),
    '\0',
  ),
  'an mbox with lengths': prefixed(
    printed((n) => `From a\nContent-Length: ${n}\n\n`, /^From a\nContent-Length: (\d+)\n\n/),
    '\n',
  ),
  'streams of PDF': prefixed(
    printed((n) => `<< /Length ${n} >>\nstream\n`, /^<< \/Length (\d+) >>\nstream\n/),
    '\nendstream\n',
  ),
  'values of memcached': prefixed(
    printed((n) => `VALUE k 0 ${n}\r\n`, /^VALUE k 0 (\d+)\r\n/),
    '\r\n',
  ),
  'messages of NATS': prefixed(
    printed((n) => `MSG a 1 ${n}\r\n`, /^MSG a 1 (\d+)\r\n/),
    '\r\n',
  ),
  'jobs of beanstalkd': prefixed(
    printed((n) => `RESERVED 1 ${n}\r\n`, /^RESERVED 1 (\d+)\r\n/),
    '\r\n',
  ),
  'WARC records': prefixed(
    printed((n) => `WARC/1.1\r\nContent-Length: ${n}\r\n\r\n`, /^WARC\/1\.1\r\nContent-Length: (\d+)\r\n\r\n/),
    '\r\n\r\n',
  ),
  'entries of cpio': prefixed(
    printed((n) => `070707${n.toString(8).padStart(11, '0')}a\0`, /^070707(\d{11})a\0/, 8),
    '\n',
  ),
  'entries of ar': prefixed(printed((n) => `${String(n).padEnd(10)}\`\n`, /^(\d+) *`\n/)),
  'a table of u16 (TrueType’s names)': withTable(
    2,
    (b, n, at) => b.writeUInt16BE(n, at),
    (b, at) => b.readUInt16BE(at),
  ),
  'a table of u32, little end first (Arrow, FlatBuffers)': withTable(
    4,
    (b, n, at) => b.writeUInt32LE(n, at),
    (b, at) => b.readUInt32LE(at),
  ),
  'a table of u32, big end first (TIFF)': withTable(
    4,
    (b, n, at) => b.writeUInt32BE(n, at),
    (b, at) => b.readUInt32BE(at),
  ),
  'a table of u64 (Parquet’s footers)': withTable(
    8,
    (b, n, at) => b.writeBigUInt64LE(BigInt(n), at),
    (b, at) => Number(b.readBigUInt64LE(at)),
  ),
  'columns of 40, with spaces (EDI, COBOL)': inColumns(40, ' '),
  'columns of 64, with zeros (dBase, tar)': inColumns(64, '\0'),
  'cards of 80 characters (FITS)': inColumns(70, ' '),
}
