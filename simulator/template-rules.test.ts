import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'

type Part = Record<string, unknown>

const body = (text: string, ...values: string[]): Part => ({
	type: 'BODY',
	text,
	...(values.length > 0 ? { example: { body_text: [values] } } : {}),
})
const buttons = (...list: Part[]): Part => ({ type: 'BUTTONS', buttons: list })
const reply = (text: string): Part => ({ type: 'QUICK_REPLY', text })
const url = (to: string, more: Part = {}): Part => ({ type: 'URL', text: 'See', url: to, ...more })
const PLAIN = body('Your parcel is on its way.')

const offer = (text: string): Part => ({
	type: 'LIMITED_TIME_OFFER',
	limited_time_offer: { text, has_expiration: true },
})
const code = (example: string): Part => ({ type: 'COPY_CODE', example })
const OFFER = [offer('Ends soon'), PLAIN, buttons(code('SAVE10'), url('https://example.com/a'))]

const TAKEN: Part[][] = [
	OFFER,
	[PLAIN],
	[body('Hello {{1}}, your parcel {{2}} is on its way.', 'Ana', 'A1')],
	[{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['Ana'] } }, PLAIN],
	[PLAIN, { type: 'FOOTER', text: 'Thank you' }, buttons(reply('Stop'), url('https://example.com/a'))],
	[PLAIN, buttons(url('https://example.com/{{1}}', { example: ['https://example.com/a'] }))],
	[PLAIN, buttons({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+919876543210' })],
	[{ type: 'HEADER', format: 'LOCATION' }, PLAIN],
	[body('🙂'.repeat(1_024)), { type: 'FOOTER', text: '© Meera Textiles, 100% cotton #1' }],
]

const REFUSED: [what: string, components: Part[], subcode: number | undefined][] = [
	['no body', [{ type: 'FOOTER', text: 'x' }], 2388043],
	['offer text too long', [offer('x'.repeat(17)), ...OFFER.slice(1)], 2388040],
	['offer with a footer', [...OFFER, { type: 'FOOTER', text: 'x' }], 2388073],
	['offer without its code', [offer('Ends'), PLAIN, buttons(url('https://example.com/a'))], undefined],
	['offer body too long', [offer('Ends'), body('x'.repeat(601)), ...OFFER.slice(2)], 2388040],
	['one card', [PLAIN, { type: 'CAROUSEL', cards: [{ components: [] }] }], 2388043],
	['body too long', [body('x'.repeat(1_025))], 2388040],
	['body without examples', [body('Hello {{1}}, welcome to us.')], 2388043],
	['too few examples', [body('Hello {{1}}, welcome to {{2}} and more words.', 'Ana')], 2388043],
	['variable first', [body('{{1}}, welcome to us.', 'Ana')], 2388299],
	['variable last', [body('Welcome to us, {{1}}', 'Ana')], 2388299],
	['variables out of order', [body('Hello {{2}}, welcome to us.', 'Ana')], 2388072],
	['variables side by side', [body('Hello {{1}} {{2}} and welcome to all of us.', 'a', 'b')], 2388072],
	['too many variables', [body('Hi {{1}}, {{2}} now.', 'a', 'b')], 2388293],
	['header with two variables', [{ type: 'HEADER', format: 'TEXT', text: '{{1}} {{2}}' }, PLAIN], 2388047],
	['header too long', [{ type: 'HEADER', format: 'TEXT', text: 'x'.repeat(61) }, PLAIN], 2388040],
	['media header without a sample', [{ type: 'HEADER', format: 'IMAGE' }, PLAIN], 2388043],
	[
		'media header with a link',
		[{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://x'] } }, PLAIN],
		2388273,
	],
	['footer with a variable', [PLAIN, { type: 'FOOTER', text: 'Bye {{1}}' }], 2388073],
	['footer too long', [PLAIN, { type: 'FOOTER', text: 'x'.repeat(61) }], 2388040],
	['footer with an emoji', [PLAIN, { type: 'FOOTER', text: 'Reply STOP to opt out 🙏' }], 2388073],
	['footer with markup', [PLAIN, { type: 'FOOTER', text: '*T&C apply*' }], 2388073],
	['header with an emoji', [{ type: 'HEADER', format: 'TEXT', text: 'Sale ❤️' }, PLAIN], 2388047],
	['button with an emoji', [PLAIN, buttons(reply('Yes 👍'))], undefined],
	['button with markup', [PLAIN, buttons(reply('_Yes_'))], undefined],
	['two quick replies with one text', [PLAIN, buttons(reply('Yes'), reply('yes '))], undefined],
	['three URLs', [PLAIN, buttons(...['a', 'b', 'c'].map((to) => url(`https://example.com/${to}`)))], undefined],
	['button text too long', [PLAIN, buttons(reply('x'.repeat(26)))], 2388040],
	['quick replies apart', [PLAIN, buttons(reply('a'), url('https://example.com'), reply('b'))], undefined],
	['URL variable without example', [PLAIN, buttons(url('https://example.com/{{1}}'))], 2388043],
	['URL variable in the middle', [PLAIN, buttons(url('https://example.com/{{1}}/x', { example: ['x'] }))], undefined],
]

test('creating a template returns 200 for a valid template, otherwise 400 with a subcode and a user message', async (t) => {
	const { graph, account } = await startScene(t)
	const create = (name: string, components: Part[]): ReturnType<typeof graph> => {
		const template = { name, language: 'en_US', category: 'MARKETING', components }
		return graph('POST', `${account.waba_id}/message_templates`, template)
	}
	for (const [index, components] of TAKEN.entries()) {
		const { status, body: answer } = await create(`taken_${index}`, components)
		assert.equal(status, 200, JSON.stringify(answer))
	}
	for (const [what, components, subcode] of REFUSED) {
		const { status, body: answer } = await create('refused', components)
		assert.equal(status, 400, what)
		assert.deepEqual([answer.error?.code, answer.error?.error_subcode], [100, subcode], what)
		assert.ok(answer.error?.error_user_msg, what)
	}
	const twice = await create('taken_0', [PLAIN])
	assert.equal(twice.body.error?.error_subcode, 2388024)
})

test('an authentication template gets the preset text, and is refused with a text of its own', async (t) => {
	const { graph, send, account } = await startScene(t)
	const create = (components: Part[]): ReturnType<typeof graph> => {
		const template = { name: 'login_code', language: 'en_US', category: 'AUTHENTICATION', components }
		return graph('POST', `${account.waba_id}/message_templates`, template)
	}
	const otp = buttons({ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' })
	assert.equal((await create([PLAIN])).status, 400)
	const { error } = (await create([PLAIN, otp])).body
	assert.equal(error?.error_subcode, 2388042)
	assert.equal(error.error_user_msg, 'component of type BODY has unexpected field(s) (text)')
	const { body: created } = await create([{ type: 'BODY', add_security_recommendation: true }, otp])
	const shown = (await graph('GET', String(created['id']))).body['components'] as { text: string }[]
	assert.match(shown[0]?.text ?? '', /^\*\{\{1\}\}\* is your verification code\./)
	while ((await graph('GET', `${String(created['id'])}?fields=status`)).body['status'] === 'PENDING') continue
	const parameters = [{ type: 'text', text: '123456' }]
	const components = [
		{ type: 'body', parameters },
		{ type: 'button', sub_type: 'url', index: '0', parameters },
	]
	const template = { name: 'login_code', language: { code: 'en_US' }, components }
	assert.equal((await send({ type: 'template', template })).status, 200)
})

test('a template with named variables is refused without named examples', async (t) => {
	const { graph, account } = await startScene(t)
	const create = (example: unknown): ReturnType<typeof graph> =>
		graph('POST', `${account.waba_id}/message_templates`, {
			name: 'named',
			language: 'en',
			category: 'MARKETING',
			parameter_format: 'named',
			components: [{ type: 'BODY', text: 'Hello {{first_name}}, welcome to us.', example }],
		})
	assert.equal((await create({ body_text: [['Ana']] })).body.error?.error_subcode, 2388043)
	const named = { body_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] }
	assert.equal((await create(named)).status, 200)
})
