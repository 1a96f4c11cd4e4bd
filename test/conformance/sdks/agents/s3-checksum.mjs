import { crc32 } from 'node:zlib'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'

export const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

const text = 'ord_1 for ada@mail.example\n'

export function answer({ method }) {
  if (method === 'PUT') return { headers: { 'x-amz-version-id': 'v2', etag: '"0cc1"' }, body: '' }
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(text))
  const headers = { 'x-amz-checksum-crc32': checksum.toString('base64'), 'x-amz-checksum-type': 'FULL_OBJECT', 'x-amz-version-id': 'v1' }
  return { type: 'text/plain', headers, body: text }
}

/** Reads an object with an e-mail address, whose checksum the client computes, and writes it elsewhere. */
export async function agent({ base, change }) {
  const client = new S3Client({ region: 'eu-west-1', endpoint: base, forcePathStyle: true })
  const Key = change === 'another object' ? 'salaries.txt' : 'orders.txt'
  const read = await client.send(new GetObjectCommand({ Bucket: 'shop', Key, ChecksumMode: 'ENABLED' }))
  const said = await read.Body.transformToString()
  const Body = change === 'another text' ? 'ord_1 for eve@mail.example\n' : said
  const written = await client.send(new PutObjectCommand({ Bucket: 'archive', Key: read.VersionId, Body, ContentType: 'text/plain' }))
  return [said.slice(0, 5), read.VersionId, written.VersionId]
}
