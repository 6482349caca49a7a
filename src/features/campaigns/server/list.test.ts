import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { campaigns } from '../contract.ts'

const app = await launchTestApp()

test('GET /api/campaigns with a search lists the account’s campaigns whose name contains it, and counts their pages', async () => {
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	const { db } = app.context
	for (const name of ['Diwali early bird', 'Bulk dispatch', 'Late diwali', '50% off'])
		await campaignRow(db, person.accountId, { name })
	await campaignRow(db, other.accountId, { name: 'Diwali of another account' })
	const find = async (search: string) => {
		const { body } = await app.call(
			campaigns.list,
			{ query: { page: 1, limit: 1, search, sort: 'createdAt', order: 'desc', tests: 'hide' } },
			person,
		)
		return [body.campaigns.map(({ name }) => name), body.totalPages]
	}
	assert.deepEqual(await find('DIWALI'), [['Late diwali'], 2])
	assert.deepEqual(await find('0%'), [['50% off'], 1])
	assert.deepEqual(await find('nothing like it'), [[], 1])
	assert.deepEqual(await find(''), [['50% off'], 4])
})

test('GET /api/campaigns with a search ignores accents, capitals and kinds of quotes, and keeps vowel signs', async () => {
	const person = await app.signIn('user')
	const { db } = app.context
	const names = ['Café ZÉBRA’s “Straße” offer', 'Łódź — Ørsted', 'दिवाली', 'ＦＵＬＬ width']
	for (const name of names) await campaignRow(db, person.accountId, { name })
	const find = async (search: string) => {
		const query = { page: 1, limit: 10, search, sort: 'createdAt', order: 'desc', tests: 'hide' } as const
		return (await app.call(campaigns.list, { query }, person)).body.campaigns.map(({ name }) => name)
	}
	for (const search of ["cafe zebra's", 'CAFÉ', '"strasse"', 'zébra´s'])
		assert.deepEqual(await find(search), [names[0]])
	assert.deepEqual(await find('lodz - orsted'), [names[1]])
	assert.deepEqual(await find('full'), [names[3]])
	assert.deepEqual([await find('दिवाली'), await find('दवल')], [[names[2]], []])
})

test('the lists of campaigns and of the messages of a campaign answer 200 for an empty or unknown status', async () => {
	const person = await app.signIn('user')
	const id = await campaignRow(app.context.db, person.accountId)
	for (const path of ['/api/campaigns', `/api/campaigns/${id}/refresh`])
		for (const status of ['', 'sending']) {
			const headers = { authorization: `Bearer ${person.token}` }
			const response = await fetch(`${app.url}${path}?status=${status}`, { headers })
			assert.equal(response.status, 200, `${path}?status=${status}`)
		}
})
