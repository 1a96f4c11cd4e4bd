import cvm from 'tencentcloud-sdk-nodejs-cvm'

export const keys = ['TENCENT_SECRET_ID', 'TENCENT_SECRET_KEY']

export const answer = () => ({
  body: { Response: { InstanceStatusSet: [{ InstanceId: 'ins-1', InstanceState: 'RUNNING' }], RequestId: 'r1' } },
})

/** Stops a machine, whose operation is only in a header. */
export async function agent({ base, change }) {
  const credential = { secretId: process.env.TENCENT_SECRET_ID, secretKey: process.env.TENCENT_SECRET_KEY }
  const profile = { httpProfile: { endpoint: new URL(base).host, protocol: 'http://' } }
  const client = new cvm.cvm.v20170312.Client({ credential, region: 'ap-shanghai', profile })
  const machines = { InstanceIds: ['ins-1'] }
  const { InstanceStatusSet } = await client.DescribeInstancesStatus(machines)
  await (change === 'TerminateInstances in place of StopInstances' ? client.TerminateInstances(machines) : client.StopInstances(machines))
  return InstanceStatusSet[0].InstanceState
}
