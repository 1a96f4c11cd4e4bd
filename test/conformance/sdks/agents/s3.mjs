import { CopyObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'

export const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

export function answer({ method, headers }) {
  if (method === 'GET')
    return { status: 206, type: 'text/plain', headers: { 'content-range': 'bytes 0-4/10', etag: '"v1"' }, body: 'ord_1' }
  if (headers['x-amz-copy-source'] === undefined) return { headers: { etag: '"v2"' }, body: '' }
  return { type: 'application/xml', body: '<CopyObjectResult><ETag>"v1"</ETag></CopyObjectResult>' }
}

/** Reads a part of an object, copies it, and writes it if nobody else has. */
export async function agent({ base, change }) {
  const client = new S3Client({ region: 'us-east-1', endpoint: base, forcePathStyle: true })
  const place = { Bucket: 'shop', Key: 'orders.txt' }
  const part = await client.send(new GetObjectCommand({ ...place, Range: change === 'another range' ? 'bytes=5-9' : 'bytes=0-4' }))
  const text = await part.Body.transformToString()
  const source = change === 'another source' ? 'shop/salaries.txt' : 'shop/orders.txt'
  await client.send(new CopyObjectCommand({ Bucket: 'shop', Key: 'orders.bak', CopySource: source }))
  const put = await client.send(
    new PutObjectCommand({
      ...place,
      Body: text,
      ...(change !== 'no precondition' && { IfMatch: part.ETag }),
      ...(change === 'public' && { ACL: 'public-read' }),
    }),
  )
  return [text, put.ETag]
}
