import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scene, startScene } from './test-scene.ts'

type Part = Record<string, unknown>

const text = (value: unknown, more: Part = {}): Part => ({ type: 'text', text: value, ...more })
const body = (...parameters: Part[]): Part => ({ type: 'body', parameters })
const header = (...parameters: Part[]): Part => ({ type: 'header', parameters })
const button = (sub_type: string, index: unknown, ...parameters: Part[]): Part => ({
	type: 'button',
	sub_type,
	index,
	parameters,
})

const ORDER = [
	{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' },
	{ type: 'BODY', text: 'Your order {{1}} of {{2}} is here.' },
	{ type: 'FOOTER', text: 'Bye' },
	{
		type: 'BUTTONS',
		buttons: [
			{ type: 'QUICK_REPLY', text: 'Stop' },
			{ type: 'URL', text: 'See', url: 'https://example.com/{{1}}' },
			{ type: 'URL', text: 'Home', url: 'https://example.com/' },
			{ type: 'COPY_CODE', example: 'SAVE10' },
		],
	},
]
const GOOD = [
	header(text('Ana')),
	body(text('A1'), text('Monday')),
	button('url', '1', text('a1')),
	button('copy_code', 3, { type: 'coupon_code', coupon_code: 'SAVE20' }),
]
const PHOTO = [
	{ type: 'HEADER', format: 'IMAGE' },
	{ type: 'BODY', text: 'Look at this.' },
]
const image = (value: Part): Part => header({ type: 'image', image: value })

async function codeOf(scene: Scene, name: string, components: Part[] | undefined): Promise<unknown> {
	const template = { name, language: { code: 'en_US' }, ...(components ? { components } : {}) }
	const { status, body: answer } = await scene.send({ type: 'template', template })
	return status === 200 ? 200 : answer.error?.code
}

async function withTemplates(t: Parameters<typeof startScene>[0]): Promise<Scene> {
	const scene = await startScene(t)
	const { waba_id } = scene.account
	const parameter_format = 'NAMED'
	await scene.control.addTemplate({ waba_id, name: 'order', components: ORDER })
	await scene.control.addTemplate({ waba_id, name: 'photo', components: PHOTO })
	const components = [{ type: 'BODY', text: 'Hi {{first_name}} from {{city}}!' }]
	await scene.control.addTemplate({ waba_id, name: 'named', parameter_format, components })
	return scene
}

test('a template message whose header, body or buttons do not match its template returns the code of the mismatch', async (t) => {
	const scene = await withTemplates(t)
	const [head, main, link, coupon] = GOOD as [Part, Part, Part, Part]
	const cases: [what: string, components: Part[] | undefined, code: number][] = [
		['all parts', GOOD, 200],
		[
			'with a payload for the quick reply',
			[...GOOD, button('quick_reply', '0', { type: 'payload', payload: 'STOP' })],
			200,
		],
		['nothing', undefined, 132000],
		['no header parameter', [main, link, coupon], 132000],
		['too few body parameters', [head, body(text('A1')), link, coupon], 132000],
		['too many body parameters', [head, body(text('1'), text('2'), text('3')), link, coupon], 132000],
		['a body parameter of another type', [head, body(text('A1'), { type: 'image' }), link, coupon], 132012],
		['an empty parameter', [head, body(text('A1'), text('')), link, coupon], 132018],
		['a line break', [head, body(text('A1'), text('a\nb')), link, coupon], 132018],
		['a tab', [head, body(text('A1'), text('a\tb')), link, coupon], 132018],
		['five spaces', [head, body(text('A1'), text('a     b')), link, coupon], 132018],
		['four spaces', [head, body(text('A1'), text('a    b')), link, coupon], 200],
		['a body that becomes too long', [head, body(text('A1'), text('x'.repeat(1_020))), link, coupon], 132005],
		['a header that becomes too long', [header(text('x'.repeat(60))), main, link, coupon], 132005],
		['no URL suffix', [head, main, coupon], 131008],
		['a suffix for a fixed URL', [...GOOD, button('url', '2', text('x'))], 132000],
		['no coupon code', [head, main, link], 131008],
		['a button that is not there', [...GOOD, button('url', '7', text('x'))], 132012],
		['a button of another kind', [head, main, coupon, button('quick_reply', '1')], 132012],
		['a part twice', [...GOOD, main], 132012],
		['a part in upper case', [head, { ...main, type: 'BODY' }, link, coupon], 200],
		['an unknown part', [head, { ...main, type: 'footer' }, link, coupon], 100],
		['an unknown key', [head, { ...main, text: 'x' }, link, coupon], 100],
	]
	for (const [what, components, code] of cases) assert.equal(await codeOf(scene, 'order', components), code, what)
})

test('a media header without a file of its type, by link or by an own media id, is refused', async (t) => {
	const scene = await withTemplates(t)
	const cases: [components: Part[] | undefined, code: number][] = [
		[[image({ link: 'https://example.com/a.jpg' })], 200],
		[undefined, 132012],
		[[header({ type: 'video', video: { link: 'https://example.com/a.mp4' } })], 132012],
		[[header(text('Hello'))], 132012],
		[[image({})], 131008],
		[[image({ id: '1', link: 'https://example.com/a.jpg' })], 100],
		[[image({ link: 'a.jpg' })], 100],
		[[image({ id: '123456789' })], 100],
	]
	for (const [components, code] of cases) {
		assert.equal(await codeOf(scene, 'photo', components), code, JSON.stringify(components))
	}
})

const CARD = [
	{ type: 'HEADER', format: 'IMAGE' },
	{ type: 'BODY', text: 'Sofa {{1}}' },
	{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}' }] },
]
const photo = image({ link: 'https://example.com/a.jpg' })
const card = (card_index: number, ...components: Part[]): Part => ({ card_index, components })
const cards = (...list: Part[]): Part[] => [{ type: 'carousel', cards: list }]

test('a carousel whose cards do not match those of its template, in number, order or parts, is refused', async (t) => {
	const scene = await withTemplates(t)
	const carousel = { type: 'CAROUSEL', cards: [{ components: CARD }, { components: CARD }] }
	const components = [{ type: 'BODY', text: 'Look at this.' }, carousel]
	await scene.control.addTemplate({ waba_id: scene.account.waba_id, name: 'cards', components })
	const parts = [photo, body(text('A1')), button('url', '0', text('a1'))]
	const [, ...bare] = parts
	const cases: [what: string, components: Part[] | undefined, code: number][] = [
		['all cards', cards(card(0, ...parts), card(1, ...parts)), 200],
		['no cards', undefined, 132012],
		['one card', cards(card(0, ...parts)), 132012],
		['cards in another order', cards(card(1, ...parts), card(0, ...parts)), 131009],
		['a card without its picture', cards(card(0, ...parts), card(1, ...bare)), 132012],
		['a card without its value', cards(card(0, ...parts), card(1, photo, button('url', '0', text('a1')))), 132000],
		['a card without its link', cards(card(0, ...parts), card(1, photo, body(text('A1')))), 131008],
		['a card that becomes too long', cards(card(0, ...parts), card(1, photo, body(text('x'.repeat(160))))), 132005],
	]
	for (const [what, given, code] of cases) assert.equal(await codeOf(scene, 'cards', given), code, what)
})

const ends = (expiration_time_ms: unknown): Part[] => [
	{
		type: 'limited_time_offer',
		parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
	},
]

test('a limited-time offer without an end in the future is refused', async (t) => {
	const scene = await withTemplates(t)
	const box = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } }
	const components = [box, { type: 'BODY', text: 'Look at this.' }]
	await scene.control.addTemplate({ waba_id: scene.account.waba_id, name: 'offer', components })
	const cases: [given: Part[] | undefined, code: number][] = [
		[ends(Date.now() + 60_000), 200],
		[undefined, 131008],
		[ends(Date.now() - 1), 131009],
		[ends('2026-12-31'), 131009],
		[[{ type: 'limited_time_offer', parameters: [text('soon')] }], 132012],
	]
	for (const [given, code] of cases) assert.equal(await codeOf(scene, 'offer', given), code, JSON.stringify(given))
})

test('named parameters are matched by name in any order, and a missing, repeated or unknown name returns 132012', async (t) => {
	const scene = await withTemplates(t)
	const ana = text('Ana', { parameter_name: 'first_name' })
	const pune = text('Pune', { parameter_name: 'city' })
	assert.equal(await codeOf(scene, 'named', [body(pune, ana)]), 200)
	assert.equal(await codeOf(scene, 'named', [body(text('Ana'), text('Pune'))]), 132012)
	assert.equal(await codeOf(scene, 'named', [body(ana, ana)]), 132012)
	assert.equal(await codeOf(scene, 'named', [body(ana, text('x', { parameter_name: 'town' }))]), 132012)
})

test('a template that is paused, disabled, rejected or missing in the language cannot be sent', async (t) => {
	const scene = await withTemplates(t)
	const { control, send, account } = scene
	const ref = { waba_id: account.waba_id, name: 'hello' }
	const language = { code: 'hi' }
	const { status, body: answer } = await send({ type: 'template', template: { name: 'hello', language } })
	assert.deepEqual([status, answer.error?.code], [404, 132001])
	await control.pauseTemplate(ref)
	assert.equal(await codeOf(scene, 'hello', undefined), 132015)
	await control.unpauseTemplate(ref)
	assert.equal(await codeOf(scene, 'hello', undefined), 200)
	await control.disableTemplate(ref)
	assert.equal(await codeOf(scene, 'hello', undefined), 132016)
	await control.reviewTemplate({ ...ref, approved: false })
	assert.equal(await codeOf(scene, 'hello', undefined), 132001)
})
