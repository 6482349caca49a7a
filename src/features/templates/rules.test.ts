import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TemplateButton } from './contract.ts'
import { templateHints } from './hints.ts'
import { BYTES_PER_MEGABYTE } from './limits.ts'
import { templateProblems, type TemplateDraft } from './rules.ts'

const SOUND: TemplateDraft = {
	name: 'order_update',
	category: 'UTILITY',
	language: 'en_US',
	header_type: 'NONE',
	body_text: 'Dear {{1}}, your order {{2}} is on its way.',
	body_examples: ['Asha', 'A-17'],
	buttons: [],
	header_from: undefined,
}

/** Returns the problems of a valid draft with these changes, as `field: message`. */
const problems = (change: Partial<TemplateDraft>) =>
	templateProblems({ ...SOUND, ...change }).map(({ field, message }) => `${field}: ${message}`)
const hints = (change: Partial<TemplateDraft>) =>
	templateHints({ ...SOUND, ...change }).map(({ field, message }) => `${field}: ${message}`)
const body = (body_text: string) => problems({ body_text, body_examples: ['a', 'b', 'c'] })
const header = (header_text: string, header_example = 'x') =>
	problems({ header_type: 'TEXT', header_text, header_example })
const buttons = (...list: TemplateButton[]) => problems({ buttons: list })

const REPLY: TemplateButton = { type: 'QUICK_REPLY', text: 'Stop' }
const OTHER_REPLY: TemplateButton = { type: 'QUICK_REPLY', text: 'Later' }
const URL_BUTTON: TemplateButton = { type: 'URL', text: 'Open', url: 'https://shop.example/a' }
const PHONE: TemplateButton = { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '98765 43210' }
const CODE: TemplateButton = { type: 'COPY_CODE', code_example: 'SAVE10' }
const link = (url: string, url_example?: string) => buttons({ ...URL_BUTTON, url, url_example })
const counted = (url: string) => buttons({ ...URL_BUTTON, url, count_clicks: true })
const phone = (phone_number: string) => buttons({ ...PHONE, phone_number })
const FILE = { size: 1000, type: 'image/png' }

test('templateProblems returns no problem for a draft that follows every rule', () => {
	assert.deepEqual(problems({}), [])
	assert.deepEqual(problems({ body_text: 'Plain words', body_examples: [], footer_text: 'Meera Textiles' }), [])
	assert.deepEqual(problems({ header_type: 'IMAGE', headerFile: FILE, buttons: [REPLY, URL_BUTTON, PHONE] }), [])
	assert.deepEqual(body('Dear {{first_name}}, order {{order_id}} is packed.'), [])
})

test('templateProblems returns problems in the specification’s order', () => {
	const all = problems({
		name: 'Order Update',
		body_text: `${'x'.repeat(1025)} {{1}} x`,
		body_examples: [' '],
		footer_text: 'y'.repeat(61),
		header_type: 'TEXT',
		header_text: 'z'.repeat(61),
		language: '',
		buttons: [REPLY, REPLY, REPLY, { type: 'QUICK_REPLY' }],
	})
	assert.deepEqual(all, [
		'name: Template name can only contain lowercase letters, numbers, and underscores',
		'header_text: Header text can have at most 60 characters',
		'body_text: Body text can have at most 1024 characters',
		'footer_text: Footer text can have at most 60 characters',
		'body_examples.0: All variables must have example values',
		'language: Language is required',
		'buttons: Maximum 3 buttons allowed',
		'buttons.1.text: Another quick reply has this text. Give each its own.',
		'buttons.2.text: Another quick reply has this text. Give each its own.',
		'buttons.3.text: Button text is required',
	])
})

test('templateProblems requires a name and a body, and limits a name to 512 characters', () => {
	const required = 'Template name and body text are required'
	assert.deepEqual(problems({ name: ' ', body_text: ' \n' }), [`name: ${required}`, `body_text: ${required}`])
	assert.deepEqual(problems({ name: 'a'.repeat(512) }), [])
	assert.deepEqual(problems({ name: 'a'.repeat(513) }), ['name: Template name can have at most 512 characters'])
	for (const name of ['Über', 'a-b', 'a b', 'ａ', 'a\n']) {
		const found = problems({ name })
		const isTrimmed = name.trim() === 'a'
		assert.equal(found.length, isTrimmed ? 0 : 1, name)
	}
})

test('templateProblems rejects a language that Meta does not know', () => {
	assert.deepEqual(problems({ language: 'xx' }), ['language: Please select a language from the list'])
	for (const language of ['en', 'en_IN', 'hi', 'pt_BR', 'fil']) assert.deepEqual(problems({ language }), [])
})

test('templateProblems accepts texts of the maximum length', () => {
	assert.deepEqual(body('x'.repeat(1024)), [])
	assert.deepEqual(header('x'.repeat(60)), [])
	assert.deepEqual(problems({ footer_text: 'x'.repeat(60) }), [])
})

test('templateProblems rejects a body that starts or ends with a variable, has gaps in the numbers, or adjacent variables', () => {
	const edge = ['body_text: The body cannot start or end with a variable']
	assert.deepEqual(body('{{1}} is here'), edge)
	assert.deepEqual(body('This is {{1}} '), edge)
	const numbers = ['body_text: Variables must be numbered {{1}}, {{2}} and so on, without gaps']
	assert.deepEqual(body('Dear {{2}} there'), numbers)
	assert.deepEqual(body('Dear {{1}} and {{3}} there'), numbers)
	assert.deepEqual(body('Dear {{0}} there'), numbers)
	assert.deepEqual(body('Dear {{2}} and {{1}} there'), [])
	assert.deepEqual(body('Dear {{1}} and {{1}} there'), [])
	assert.match(body('Dear {{1}} {{2}} there')[0] ?? '', /cannot stand next to each other/)
	assert.match(body('Dear {{1}}{{2}} there')[0] ?? '', /cannot stand next to each other/)
})

test('templateProblems rejects braces that form no variable, and a mix of both kinds of variables', () => {
	for (const text of ['Dear {{Name}} there', 'Dear {{1} there', 'Dear {{}} there', 'Dear {{first name}} there']) {
		assert.deepEqual(body(text), ['body_text: A variable is written {{1}}: two braces, its number, two braces'], text)
	}
	assert.deepEqual(body('Dear {{1}} and {{name}} there'), [
		'body_text: Use either numbered variables or named ones, not both',
	])
	assert.deepEqual(problems({ header_type: 'TEXT', header_text: 'For {{name}}', header_example: 'Asha' }), [
		'header_text: Use either numbered variables or named ones, not both',
	])
})

test('templateProblems requires an example for every variable, reported at its own field', () => {
	assert.deepEqual(problems({ body_examples: ['Asha'] }), ['body_examples.1: All variables must have example values'])
	assert.deepEqual(header('Order {{1}}', ' '), ['header_example: All variables must have example values'])
})

test('templateProblems rejects emojis and formatting characters in button texts, and quick replies with the same text', () => {
	assert.match(buttons({ ...REPLY, text: 'Yes 👍' })[0] ?? '', /^buttons.0.text: .*emojis/)
	assert.match(buttons({ ...URL_BUTTON, text: '*Open*' })[0] ?? '', /^buttons.0.text: .*formatting characters/)
	assert.deepEqual(buttons(REPLY, { ...REPLY, text: ' STOP ' }), [
		'buttons.1.text: Another quick reply has this text. Give each its own.',
	])
	assert.deepEqual(buttons(REPLY, { ...REPLY, text: 'Start' }), [])
})

test('templateProblems counts an emoji as one character in header, body, footer and buttons', () => {
	assert.deepEqual(body('😀'.repeat(1024)), [])
	assert.equal(body('😀'.repeat(1025)).length, 1)
	const letters = '𝒜'
	assert.deepEqual(problems({ footer_text: letters.repeat(60) }), [])
	assert.deepEqual(header(letters.repeat(60)), [])
	assert.deepEqual(buttons({ ...REPLY, text: letters.repeat(25) }), [])
})

test('templateProblems limits a text header to one line without formatting and to one variable', () => {
	assert.deepEqual(header(''), ['header_text: Header text is required'])
	assert.deepEqual(header('Order {{1}}'), [])
	assert.deepEqual(header('{{1}} and {{2}}'), ['header_text: The header can hold one variable at most'])
	assert.equal(header('Two\nlines').length, 1)
	for (const mark of '*_~`') assert.equal(header(`a ${mark}b${mark}`).length, 1, mark)
	assert.equal(header('Order {{2}}').length, 1)
})

test('templateProblems rejects a footer with line breaks, variables, emojis or formatting characters', () => {
	assert.deepEqual(problems({ footer_text: 'Hi {{1}}' }), ['footer_text: The footer cannot hold variables'])
	assert.deepEqual(problems({ footer_text: 'a\nb' }), ['footer_text: The footer must be one line'])
	assert.match(problems({ footer_text: 'Reply STOP to opt out 🙏' })[0] ?? '', /^footer_text: .*cannot hold emojis/)
	assert.match(problems({ footer_text: '*T&C apply*' })[0] ?? '', /^footer_text: .*formatting characters/)
	for (const footer_text of ['© 2026 Meera', '5% off, 2+1 free #1', 'मीरा टेक्सटाइल्स', 'T&C apply™'])
		assert.deepEqual(problems({ footer_text }), [], footer_text)
})

test('templateProblems requires a file of the right kind and size for a media header', () => {
	for (const [header_type, megabytes, type] of [
		['IMAGE', 5, 'image/jpeg'],
		['VIDEO', 16, 'video/mp4'],
		['DOCUMENT', 10, 'application/pdf'],
	] as const) {
		const largest = megabytes * BYTES_PER_MEGABYTE
		const missing = [`header_file: Please upload a ${header_type.toLowerCase()} for the header`]
		assert.deepEqual(problems({ header_type }), missing)
		assert.deepEqual(problems({ header_type, header_from: '7' }), [])
		assert.deepEqual(problems({ header_type, headerFile: { size: largest, type } }), [])
		assert.deepEqual(problems({ header_type, headerFile: { size: largest + 1, type } }), [
			`header_file: File size exceeds ${megabytes}MB limit`,
		])
		assert.equal(problems({ header_type, headerFile: { size: 0, type } }).length, 1)
		assert.match(
			problems({ header_type, headerFile: { size: 9, type: 'image/gif' } })[0] ?? '',
			/This file is not an? /,
		)
	}
	assert.match(problems({ header_type: 'VIDEO', headerFile: { size: 9, type: 'video/3gpp' } })[0] ?? '', /convert/)
})

test('templateProblems allows three buttons with two links, one phone number and one code, and quick replies in one group', () => {
	assert.deepEqual(buttons(URL_BUTTON, URL_BUTTON, PHONE), [])
	assert.deepEqual(buttons(URL_BUTTON, URL_BUTTON, URL_BUTTON), ['buttons: Maximum 2 URL buttons allowed'])
	assert.deepEqual(buttons(PHONE, PHONE), ['buttons: Maximum 1 phone number button allowed'])
	assert.deepEqual(buttons(CODE, CODE), ['buttons: Maximum 1 copy code button allowed'])
	assert.deepEqual(buttons(REPLY, OTHER_REPLY, URL_BUTTON), [])
	assert.deepEqual(buttons(URL_BUTTON, REPLY, OTHER_REPLY), [])
	const apart = ['buttons: Quick replies must stand together, before or after the other buttons']
	assert.deepEqual(buttons(REPLY, URL_BUTTON, OTHER_REPLY), apart)
	assert.deepEqual(buttons(URL_BUTTON, REPLY, PHONE), apart)
})

test('templateProblems requires 1 to 25 characters in a button’s text', () => {
	assert.deepEqual(buttons({ ...REPLY, text: 'x'.repeat(25) }), [])
	assert.equal(buttons({ ...REPLY, text: 'x'.repeat(26) }).length, 1)
	assert.deepEqual(buttons({ ...REPLY, text: ' ' }), ['buttons.0.text: Button text is required'])
	assert.equal(buttons({ ...REPLY, text: 'Hi {{1}}' }).length, 1)
})

test('templateProblems requires a full address for a link, with a variable only at its end and then an example', () => {
	assert.deepEqual(link(''), ['buttons.0.url: URL is required for URL button'])
	for (const url of ['shop.example', 'ftp://shop.example', 'https://', 'javascript:alert(1)', 'https://a b.example']) {
		assert.equal(link(url).length, 1, url)
	}
	assert.deepEqual(link(`https://shop.example/${'x'.repeat(1979)}`), [])
	assert.equal(link(`https://shop.example/${'x'.repeat(1980)}`).length, 1)
	assert.deepEqual(link('https://shop.example/{{1}}', 'a17'), [])
	assert.deepEqual(link('https://shop.example/{{1}}'), [
		'buttons.0.url_example: All variables must have example values',
	])
	for (const url of ['https://shop.example/{{1}}/x', 'https://shop.example/{{2}}', 'https://shop.example/{{1}}{{2}}']) {
		assert.deepEqual(link(url, 'a'), ['buttons.0.url: A URL can hold one variable, {{1}}, at its very end'], url)
	}
	assert.equal(link('https://{{1}}', 'a').length, 1)
})

test('templateProblems limits a phone number to 20 characters, including +91 when it has no plus', () => {
	assert.deepEqual(phone(' '), ['buttons.0.phone_number: Phone number is required for Phone Number button'])
	assert.deepEqual(phone('+1 (650) 555-1234'), [])
	assert.deepEqual(phone(`+${'1'.repeat(19)}`), [])
	assert.equal(phone(`+${'1'.repeat(20)}`).length, 1)
	assert.deepEqual(phone('call me'), ['buttons.0.phone_number: Invalid phone number format'])
})

test('templateProblems requires an example of at most 20 characters, and no text, for a code to copy', () => {
	assert.deepEqual(buttons(CODE), [])
	assert.equal(buttons({ type: 'COPY_CODE' }).length, 1)
	assert.equal(buttons({ ...CODE, code_example: 'x'.repeat(21) }).length, 1)
})

test('templateProblems accepts an authentication template with an expiry of 1 to 90 minutes and a short button', () => {
	const preset: Partial<TemplateDraft> = { category: 'AUTHENTICATION', body_text: '', body_examples: [] }
	assert.deepEqual(problems(preset), [])
	assert.deepEqual(problems({ ...preset, code_expiration_minutes: '90', otp_button_text: 'Copy code' }), [])
	for (const code_expiration_minutes of ['0', '91', '1.5', 'ten', '-1']) {
		assert.deepEqual(problems({ ...preset, code_expiration_minutes }), [
			'code_expiration_minutes: A code can expire after 1 to 90 minutes',
		])
	}
	const own = problems({
		...preset,
		body_text: 'Your code is {{1}}.',
		footer_text: 'x',
		buttons: [REPLY],
		header_type: 'TEXT',
	})
	assert.deepEqual(
		own.map((problem) => problem.split(':')[0]),
		['header_type', 'body_text', 'footer_text', 'buttons'],
	)
	assert.equal(problems({ ...preset, otp_button_text: 'x'.repeat(26) }).length, 1)
})

test('templateHints name advertising words in UTILITY only, shortened links, thin texts and lone variables', () => {
	assert.deepEqual(hints({}), [])
	const offer = { body_text: 'Our Diwali SALE starts today, dear customer.', body_examples: [] }
	assert.match(hints(offer)[0] ?? '', /^body_text: “SALE” reads as advertising/)
	assert.deepEqual(hints({ ...offer, category: 'MARKETING' }), [])
	assert.match(hints({ body_text: 'Get 20% off on your order', body_examples: [] })[0] ?? '', /20% off/)
	assert.match(hints({ footer_text: 'See bit.ly/abc' })[0] ?? '', /^footer_text: .*shortened/)
	const short = { ...URL_BUTTON, url: 'https://tinyurl.com/x1' }
	assert.match(hints({ buttons: [REPLY, short] })[0] ?? '', /^buttons\.1\.url: /)
	assert.deepEqual(hints({ buttons: [{ ...URL_BUTTON, url: 'https://fit.ly.example/x' }] }), [])
	assert.match(hints({ body_text: 'Hi {{1}} ok', body_examples: ['a'] })[0] ?? '', /so few words/)
	assert.match(
		hints({ body_text: 'Dear customer, this is your order number:\n{{1}}\nThank you very much.' })[0] ?? '',
		/\{\{1\}\} stands alone/,
	)
})

const phoneHints = (phone_number: string) => hints({ buttons: [{ ...PHONE, phone_number }] })

test('templateHints question a phone number that begins with 91 or 0 and would get +91 again', () => {
	for (const typed of ['919876543210', '91 98765-43210', '09876543210'])
		assert.match(phoneHints(typed)[0] ?? '', /^buttons\.0\.phone_number: .*Did you mean \+919876543210\?/, typed)
	for (const typed of ['9876543210', '+919876543210', '18001234567', '9198765432', ''])
		assert.deepEqual(phoneHints(typed), [])
})

test('templateHints count words of other scripts', () => {
	assert.deepEqual(hints({ body_text: 'नमस्ते {{1}}, आपका ऑर्डर भेज दिया गया है।', body_examples: ['आशा'] }), [])
})

test('templateProblems requires a full address without a variable, of at most 700 encoded characters, for a counted link', () => {
	assert.deepEqual(counted('https://shop.example/sale?from=whatsapp'), [])
	assert.deepEqual(counted('https://shop.example/{{1}}'), [
		'buttons.0.url: A link whose clicks are counted cannot hold a variable',
	])
	const refused = ['buttons.0.url: Please enter a full address that starts with https://']
	const disguised = ['https://:99999/', 'http://shop.example/', 'https://bank.example@shop.example/']
	for (const url of disguised) assert.deepEqual(counted(url), refused, url)
	assert.deepEqual(counted(`https://shop.example/${'x'.repeat(679)}`), [])
	// Each of these letters takes nine characters in an address.
	assert.deepEqual(counted(`https://shop.example/${'क'.repeat(80)}`), [
		'buttons.0.url: A link whose clicks are counted can have at most 700 characters',
	])
})
