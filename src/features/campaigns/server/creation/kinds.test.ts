import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { chats } from '#features/chats/contract.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { campaignClicks } from '#features/links/contract.ts'
import { cardFileField, templates } from '#features/templates/contract.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { apiKey } from '#test/factories.ts'
import {
	campaignForm,
	campaignWhen,
	launchProduct,
	moneyFindings,
	sendingAccount,
	startCampaign,
} from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import * as oracles from '#test/readers/meta-bodies.ts'
import { fileOf, MP4, PDF, picture } from '#test/scenes/template-tests.ts'
import { until } from '#test/until.ts'

const product = await launchProduct({ statuses: { readRate: 0 } })
const BROWSER = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'

type Form = Record<string, string>

/** Creates an account with contacts and an approved template from this form. */
async function shopWith(
	form: Form,
	{ contacts = 2, files = {} }: { contacts?: number; files?: Record<string, File> } = {},
) {
	const sender = await sendingAccount(product, { contacts, balancePaise: 1000 })
	const body = { name: 'kind', language: 'en', category: 'MARKETING', ...form } as never
	const { status, body: made } = await call(product.process.url, templates.create, { body, files, token: sender.token })
	assert.equal(status, 200, JSON.stringify(made))
	const { template_id: templateId, cardMediaUrls } = made.template
	await until(async () => {
		await syncTemplates(product.process.context, sender.accountId)
		const [row] = await product.db<{ status: string }[]>`select status from templates where template_id = ${templateId}`
		return row?.status === 'APPROVED'
	})
	/** Returns the body of the first message to each contact, and to each of further numbers. */
	const received = async (further: string[] = []) => {
		const rows = await product.db<{ number: string }[]>`
			select number from contacts where account_id = ${sender.accountId} order by id
		`
		return Promise.all(
			[...rows.map(({ number }) => number), ...further].map(
				async (number) => (await product.simulator.control.received(number)).messages[0]?.payload,
			),
		)
	}
	return { ...sender, templateId, cardMediaUrls, received }
}

const card = (text: string, url: string) => ({
	header_type: 'IMAGE',
	body_text: text,
	body_examples: ['A1'],
	buttons: [
		{ type: 'URL', text: 'Buy', url, count_clicks: true },
		{ type: 'QUICK_REPLY', text: 'More' },
	],
})

/** Returns the files of the cards of a form. */
const filesOf = (cards: number, make: () => File) =>
	Object.fromEntries(Array.from({ length: cards }, (_, index) => [cardFileField(index), make()]))

test('a carousel is sent with each card’s picture and values, and clicks are counted by card', async () => {
	const cards = ['sofa', 'chair', 'table', 'lamp', 'shelf', 'bed'].map((name) =>
		card(`A ${name} {{1}} in stock today`, `https://shop.example/${name}`),
	)
	const form = {
		kind: 'CAROUSEL',
		body_text: 'Hi {{1}}, look at this',
		body_examples: '["Asha"]',
		cards: JSON.stringify(cards),
	}
	const shop = await shopWith(form, { files: filesOf(cards.length, picture) })
	assert.equal(shop.cardMediaUrls.filter(Boolean).length, 6)
	const others = Object.fromEntries([3, 4, 5, 6].map((number) => [`card${number}_var1`, `N-${number}`]))
	const variables = { var1: '{{firstName}}', card1_var1: 'S-1', card2_var1: '{{number}}', ...others }
	const campaignId = await startCampaign(product, shop, { variables })
	await campaignWhen(product, { ...shop, campaignId }, ({ delivered }) => delivered === 2)
	const sent = (await shop.received()).map((body) => oracles.SendCarousel.parse(body))
	const tokens = sent.map(({ template }) =>
		template.components.flatMap((part) =>
			part.type === 'carousel'
				? part.cards.map(({ components }) => {
						const [, body, button] = components
						return { text: JSON.stringify(body), token: JSON.stringify(button).match(/"text":"([^"]+)"/)?.[1] ?? '' }
					})
				: [],
		),
	)
	assert.match(tokens[0]?.[0]?.text ?? '', /"S-1"/)
	assert.match(tokens[0]?.[1]?.text ?? '', /"\+91/)
	const follow = (token: string) =>
		fetch(`${product.process.url}/l/${token}`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
	const answer = await follow(tokens[1]?.[1]?.token ?? '')
	assert.deepEqual([answer.status, answer.headers.get('location')], [302, 'https://shop.example/chair'])
	const clicks = () => product.db<{ seq: number; button: number }[]>`
		select seq, button from campaign_clicks where campaign_id = ${campaignId}
	`
	await until(async () => (await clicks()).length === 1)
	assert.deepEqual(await clicks(), [{ seq: 2, button: 32 }])
	const { body } = await call(product.process.url, campaignClicks.clicks, {
		params: { id: String(campaignId) },
		token: shop.token,
	})
	assert.deepEqual(
		body.buttons,
		cards.map((_, index) => ({
			card: index + 1,
			text: 'Buy',
			people: index === 1 ? 1 : 0,
			clicks: index === 1 ? 1 : 0,
		})),
	)
})

const OFFER = {
	kind: 'LIMITED_TIME_OFFER',
	header_type: 'NONE',
	body_text: 'Hello {{1}}, our Diwali prices end soon.',
	body_examples: '["Asha"]',
	offer_text: 'Ends soon',
	buttons: JSON.stringify([
		{ type: 'COPY_CODE', code_example: 'DIWALI25' },
		{ type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}', url_example: 'sale' },
	]),
}
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString()

test('a limited-time offer is sent with its end, and after the end it fails unsent with a refund', async () => {
	const shop = await shopWith(OFFER)
	const ends = inAnHour()
	const variables = { var1: 'Asha', offer_ends: ends, code1: '{{firstName}}', url2: 'sale' }
	const tooLong = startCampaign(product, shop, { variables: { ...variables, code1: 'SIXTEENCHARS1234' } })
	await assert.rejects(tooLong, { message: 'Offer code has more than 15 characters' })
	const over = startCampaign(product, shop, { variables: { ...variables, offer_ends: '2026-01-01T10:00' } })
	await assert.rejects(over, { message: 'End of the offer has already passed. Choose a later end' })
	const campaignId = await startCampaign(product, shop, { variables })
	await campaignWhen(product, { ...shop, campaignId }, ({ delivered }) => delivered === 2)
	for (const body of await shop.received()) {
		const parts = oracles.SendOffer.parse(body).template.components
		assert.ok(JSON.stringify(parts).includes(`"expiration_time_ms":${Date.parse(ends)}`))
	}

	const form = campaignForm(shop.templateId, { variables, schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' })
	await assert.rejects(startCampaign(product, shop, form), /offer ends before the campaign starts/)
	// Each message has an end of its own, as messages of programs have.
	const later = await startCampaign(product, shop, { variables, schedule: 'later', scheduleDatetime: soon() })
	await product.db`
		update campaigns set opens_at = now(), merge_tags = array['ends'],
			variables = variables || '{"offer_ends": "{{ends}}", "code1": "SAVE10"}' where id = ${later}
	`
	await product.db`
		update campaign_messages set merge_values = array[case when seq = 1 then '2026-01-01T10:00' else ${ends}::text end]
		where campaign_id = ${later}
	`
	await campaignWhen(product, { ...shop, campaignId: later }, ({ status }) => status === 'completed')
	const rows = await product.db`
		select seq, status, error_code as code from campaign_messages where campaign_id = ${later} order by seq
	`
	assert.deepEqual(rows[0], { seq: 1, status: 'failed', code: OWN_ERRORS.offerEnded.code })
	assert.notEqual(rows[1]?.['status'], 'failed')
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('v1.sendMessage sends an offer with the end that the message names, and refuses an end that has passed', async () => {
	const shop = await shopWith(OFFER, { contacts: 1 })
	const { token } = await apiKey(product.db, shop)
	const to = '919876500021'
	const order = (offer_ends: string) => {
		const values = { var1: 'Asha', offer_ends, code1: 'SAVE10', url2: 'sale' }
		const body = { template: { name: 'kind' }, to, values }
		return call(product.process.url, v1Messages.sendMessage, { body, token })
	}
	const over = await order('2026-01-01T10:00')
	assert.equal(over.status, 422)
	assert.match(JSON.stringify(over.body), /\/values\/offer_ends.*already passed/)
	const ends = inAnHour()
	assert.equal((await order(ends)).status, 202)
	await until(async () => {
		const { messages } = await product.simulator.control.received(to)
		return JSON.stringify(messages).includes(`"expiration_time_ms":${Date.parse(ends)}`)
	})
})

/** Returns a time half an hour ahead, by the clock of India. */
function soon(): string {
	return Temporal.Now.zonedDateTimeISO('Asia/Kolkata')
		.add({ minutes: 30 })
		.toPlainDateTime()
		.toString({ smallestUnit: 'minute' })
}

test('a campaign whose offer ended before its start fails at its start and gives its money back', async () => {
	const shop = await shopWith(OFFER, { contacts: 1 })
	const variables = { var1: 'Asha', offer_ends: inAnHour(), code1: 'SAVE10', url2: 'sale' }
	const campaignId = await startCampaign(product, shop, { variables, schedule: 'later', scheduleDatetime: soon() })
	await product.db`
		update campaigns set opens_at = now(), variables = variables || '{"offer_ends": "2026-01-01T10:00"}'
		where id = ${campaignId}
	`
	const campaign = await campaignWhen(product, { ...shop, campaignId }, ({ status }) => status === 'failed')
	assert.match(campaign.statusReason ?? '', /^The offer had ended/)
	await until(async () => {
		const [wallet] = await product.db<{ held: number }[]>`
			select held_paise as held from wallets where account_id = ${shop.accountId}
		`
		return wallet?.held === 0
	})
	assert.deepEqual(await moneyFindings(product.db), [])
})

const PLACE = { header_type: 'LOCATION', body_text: 'Our new shop is open, come and visit.' }
const LOCATION = {
	location_name: 'Asha Stores',
	location_address: 'MG Road, Pune',
	location_latitude: '18.52',
	location_longitude: '73.86',
}

test('a campaign with a wrong latitude, or with a place of each recipient, is refused', async () => {
	const place = await shopWith(PLACE)
	const wrong = startCampaign(product, place, { variables: { ...LOCATION, location_latitude: '91' } })
	await assert.rejects(wrong, /Latitude must be a number of degrees from -90 to 90/)
	const tagged = startCampaign(product, place, { variables: { ...LOCATION, location_name: '{{firstName}}' } })
	await assert.rejects(tagged, /is the same for everyone/)
})

const carouselOf = (header_type: string, makeFile: () => File) => ({
	form: {
		kind: 'CAROUSEL',
		body_text: 'Our sofas of the week are here.',
		cards: JSON.stringify(
			[1, 2].map((n) => ({ ...card(`Sofa ${n} {{1}} in oak`, 'https://ex.in/sofas'), header_type })),
		),
	},
	files: filesOf(2, makeFile),
	variables: { card1_var1: 'A', card2_var1: 'B' },
	oracle: oracles.SendCarousel,
	has: `"type":"${header_type.toLowerCase()}"`,
})
const COUPON = {
	body_text: 'Here is your code for this week.',
	buttons: JSON.stringify([{ type: 'COPY_CODE', code_example: 'DIWALI25' }]),
}

for (const { what, form, files = {}, variables, oracle, has } of [
	{ what: 'a carousel with pictures', ...carouselOf('IMAGE', picture) },
	{ what: 'a carousel with videos', ...carouselOf('VIDEO', () => fileOf(MP4, 'sofa.mp4', 'video/mp4')) },
	{
		what: 'a limited-time offer with a picture',
		form: { ...OFFER, header_type: 'IMAGE' },
		files: { header_file: picture() },
		variables: { var1: 'Asha', offer_ends: inAnHour(), code1: 'SAVE10', url2: 'sale' },
		oracle: oracles.SendOffer,
		has: '"type":"image"',
	},
	{ what: 'a coupon code', form: COUPON, variables: { code1: 'C123' }, oracle: oracles.SendCoupon, has: '"C123"' },
	{ what: 'a location', form: PLACE, variables: LOCATION, oracle: oracles.SendLocation, has: '"MG Road, Pune"' },
	{
		what: 'a document with a name in Hindi',
		form: { header_type: 'DOCUMENT', body_text: 'Your bill of this month is here.' },
		files: { header_file: fileOf(PDF, 'नवंबर का बिल.pdf', 'application/pdf') },
		variables: {},
		oracle: oracles.SendDocument,
		has: '"filename":"नवंबर का बिल.pdf"',
	},
])
	test(`${what} has the shape that Meta documents in a campaign, a test, a chat and a message of a program`, async () => {
		const shop = await shopWith(form, { contacts: 1, files })
		const { templateId, token } = shop
		const key = (await apiKey(product.db, shop)).token
		const { url } = product.process
		const numbers = ['1', '2', '3'].map((end) => `919${String(shop.accountId).padStart(6, '0')}00${end}`)
		const [first = '', second = '', third = ''] = numbers
		await startCampaign(product, shop, { variables })
		for (const { status, body } of await Promise.all([
			call(url, campaignPreflight.sendTest, { body: { templateId, variables, number: first }, token }),
			call(url, chats.sendTemplate, { body: { templateId, variables, number: second }, token }),
			call(url, v1Messages.sendMessage, {
				body: { template: { name: 'kind' }, to: third, values: variables },
				token: key,
			}),
		]))
			assert.ok(status < 300, JSON.stringify(body))
		await until(async () => (await shop.received(numbers)).every((body) => body !== undefined))
		for (const body of await shop.received(numbers)) {
			oracle.parse(body)
			assert.ok(JSON.stringify(body).includes(has), JSON.stringify(body))
		}
	})
