import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createCloudApi } from './graph-client.ts'
import { checkWithMeta } from './meta-check.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const GIVEN = { phoneNumberId: '15550001', wabaId: '25550001', accessToken: 'a-token' }

/** Starts a Graph API with a number, its profile picture and the picture's address. */
async function startGraph(
	t: TestContext,
	{ pictureAt, picture }: { pictureAt?: string; picture: Buffer },
): Promise<string> {
	const server: Server = createServer(({ url = '' }, response) => {
		if (url === '/picture') return response.end(picture)
		const profile = { profile_picture_url: pictureAt ?? `${addressOf(server)}/picture` }
		const data = url.includes('business_profile') ? [profile] : [{ id: GIVEN.phoneNumberId }]
		response.setHeader('content-type', 'application/json')
		return response.end(JSON.stringify({ id: GIVEN.phoneNumberId, name: 'Chai', verified_name: 'Chai', data }))
	})
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
	t.after(() => server.close())
	return addressOf(server)
}

function addressOf(server: Server): string {
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function pictureOf(t: TestContext, graph: { pictureAt?: string; picture: Buffer }): Promise<string | null> {
	const api = createCloudApi({ url: await startGraph(t, graph), version: 'v25.0' })
	t.after(() => api.close())
	return (await checkWithMeta(api, GIVEN)).profilePictureUrl
}

test('checkWithMeta returns the profile picture as data, because its address at Meta expires', async (t) => {
	assert.equal(await pictureOf(t, { picture: PNG }), `data:image/png;base64,${PNG.toString('base64')}`)
})

test('checkWithMeta returns no picture when it is not an image, is too large, or is not on a host of Meta', async (t) => {
	assert.equal(await pictureOf(t, { picture: Buffer.from('<svg onload="alert(1)"/>') }), null)
	assert.equal(await pictureOf(t, { picture: Buffer.concat([PNG, Buffer.alloc(300 * 1024)]) }), null)
	assert.equal(await pictureOf(t, { picture: PNG, pictureAt: 'http://127.0.0.1:9/picture' }), null)
})
