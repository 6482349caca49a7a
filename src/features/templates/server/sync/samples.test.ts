import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { templates } from '#features/templates/contract.ts'
import { template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { picture, PNG, templateTests } from '#test/scenes/template-tests.ts'
import { syncTemplates } from './sync.ts'

const app = await launchTestApp({ simulator: true })
const given = templateTests(app)

/** Creates a template with an image header at Meta, outside the product, and returns its id. */
async function madeElsewhere(
	account: { access_token: string; waba_id: string; app_id: string },
	name: string,
	{ sample = PNG, hasCards = false } = {},
) {
	const { cloudApi } = app.context
	const ask = async (path: string, init: { body: string | Buffer; headers?: Record<string, string> }) =>
		(await cloudApi.request({ method: 'POST', path, token: account.access_token, ...init })).body as Record<
			string,
			string
		>
	const { id = '' } = await ask(`/${account.app_id}/uploads?file_length=${sample.length}&file_type=image/png`, {
		body: '',
	})
	const headers = { authorization: `OAuth ${account.access_token}`, file_offset: '0' }
	const { h } = await ask(`/${id}`, { body: sample, headers })
	const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } }
	const card = { components: [header, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] }] }
	const body = { type: 'BODY', text: 'Look at our sarees' }
	const components = hasCards ? [body, { type: 'CAROUSEL', cards: [card, card] }] : [header, body]
	const made = { name, language: 'en_US', category: 'MARKETING', components }
	const json = { 'content-type': 'application/json' }
	return (await ask(`/${account.waba_id}/message_templates`, { body: JSON.stringify(made), headers: json }))['id'] ?? ''
}

test('syncTemplates downloads the header file of a template created elsewhere once, and stores it for sending', async () => {
	const account = await given.connected()
	await madeElsewhere(account, 'photo')
	await syncTemplates(app.context, account.person.accountId)
	const [row] = (await given.list(account.person)).templates
	assert.deepEqual([row?.needsHeaderFile, row?.mediaUrl], [false, `/api/templates/${row?._id}/header`])
	const file = await app.call(templates.headerFile, { params: { id: row?._id ?? '' } }, account.person)
	assert.deepEqual(Buffer.from(await file.body.arrayBuffer()), PNG)
})

test('syncTemplates downloads the files of all cards of a carousel created elsewhere', async () => {
	const account = await given.connected()
	await madeElsewhere(account, 'photos', { hasCards: true })
	await syncTemplates(app.context, account.person.accountId)
	const [row] = (await given.list(account.person)).templates
	const address = `/api/templates/${row?._id}/header?card=`
	assert.deepEqual([row?.needsHeaderFile, row?.cardMediaUrls], [false, [`${address}1`, `${address}2`]])
	const file = await app.call(
		templates.headerFile,
		{ params: { id: row?._id ?? '' }, query: { card: '2' } },
		account.person,
	)
	assert.deepEqual(Buffer.from(await file.body.arrayBuffer()), PNG)
	// Another file of the user's own replaces one card's.
	const upload = { params: { id: row?._id ?? '' }, body: { card: '2' }, files: { header_file: picture() } }
	const { body } = await app.call(templates.uploadHeaderFile, upload, account.person)
	assert.deepEqual(body.template.cardMediaUrls, [`${address}1`, `${address}2`])
})

test('syncTemplates stores no sample of another type than the header’s or from a host outside Meta', async () => {
	const account = await given.connected()
	await madeElsewhere(account, 'fake', { sample: Buffer.from('<svg onload="alert(1)"/>') })
	let asked = 0
	const stranger = createServer((_request, response) => {
		asked++
		response.end(PNG)
	})
	await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
	const { port } = stranger.address() as { port: number }
	for (const [index, address] of [`http://127.0.0.1:${port}/x.png`, 'file:///etc/passwd', 'no address', 7].entries()) {
		await template(app.context.db, account.person.accountId, {
			name: `strange_${index}`,
			components: [
				{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [address] } },
				{ type: 'BODY', text: 'Look here now' },
			],
		})
	}
	await syncTemplates(app.context, account.person.accountId)
	stranger.close()
	const { templates: rows } = await given.list(account.person)
	assert.deepEqual(
		rows.filter(({ needsHeaderFile }) => !needsHeaderFile),
		[],
	)
	assert.equal(asked, 0)
})

test('syncTemplates clears the header file when another template replaces one under the same name', async () => {
	const account = await given.connected()
	await madeElsewhere(account, 'photo')
	await syncTemplates(app.context, account.person.accountId)
	const fileOf = async () => {
		const [row] = await app.context.db<{ file: string | null }[]>`
			select header_file as file from templates where account_id = ${account.person.accountId}
		`
		return row?.file
	}
	const first = await fileOf()
	await app.context.db`update templates set template_id = '1' where account_id = ${account.person.accountId}`
	await syncTemplates(app.context, account.person.accountId)
	assert.notEqual(await fileOf(), first)
})
