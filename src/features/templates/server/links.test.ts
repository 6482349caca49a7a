import assert from 'node:assert/strict'
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { countedTarget, MAX_COUNTED_URL_LENGTH, plainTarget } from '../counted-link.ts'
import { createLinks, type MessageLink } from './links.ts'

const SECRET_KEY = randomBytes(32)
const settings = { SECRET_KEY, SECRET_KEYS_OLD: [], PUBLIC_URL: 'https://app.example' }
const marks = ({ campaignId, seq }: { campaignId: number; seq: number }) => [`${campaignId}:${seq}`]
const links = createLinks(settings, marks)
const LINK: MessageLink = { account: 41_203, campaignId: 1_100_000_017, seq: 999_999, button: 1 }

test('read returns the message of tokenOf, whose tokens are short enough for a message', () => {
	for (const link of [
		LINK,
		{ account: 1, campaignId: 1, seq: 1, button: 0 },
		{ ...LINK, button: 16 },
		{ ...LINK, button: 161 },
		{ ...LINK, campaignId: 2 ** 53 - 1 },
	])
		assert.deepEqual(links.read(links.tokenOf(link)), link)
	assert.ok(links.tokenOf(LINK).length <= 30, links.tokenOf(LINK))
})

test('read returns null for a token that is changed, truncated, lengthened or empty', () => {
	const token = links.tokenOf(LINK)
	const bytes = Buffer.from(token, 'base64url')
	for (let at = 0; at < bytes.length; at++) {
		const changed = Buffer.from(bytes)
		changed[at] = (changed[at] ?? 0) ^ 1
		assert.equal(links.read(changed.toString('base64url')), null, `byte ${at}`)
	}
	for (let length = 0; length < bytes.length; length++)
		assert.equal(links.read(bytes.subarray(0, length).toString('base64url')), null, `${length} bytes`)
	for (const text of [`${token}AAAA`, '', '%00', 'a'.repeat(1001), '-'.repeat(40)]) assert.equal(links.read(text), null)
	// Tokens of each length: surplus bits of the last characters decode to nothing.
	for (const power of [0, 1, 2, 3]) {
		const other = links.tokenOf({ ...LINK, campaignId: 128 ** power })
		for (const more of ['A', 'AB', 'ABC']) assert.equal(links.read(other + more), null, other + more)
	}
})

test('read returns null for the signature of another account’s, campaign’s, message’s or button’s token', () => {
	const signature = Buffer.from(links.tokenOf(LINK), 'base64url').subarray(-8)
	for (const other of [{ account: 41_204 }, { campaignId: 1_100_000_018 }, { seq: 999_998 }, { button: 0 }]) {
		const payload = Buffer.from(links.tokenOf({ ...LINK, ...other }), 'base64url').subarray(0, -8)
		assert.equal(links.read(Buffer.concat([payload, signature]).toString('base64url')), null)
	}
})

test('read accepts tokens signed with a configured older key, and none of another installation', () => {
	const token = links.tokenOf(LINK)
	const changed = { ...settings, SECRET_KEY: randomBytes(32) }
	assert.deepEqual(createLinks({ ...changed, SECRET_KEYS_OLD: [SECRET_KEY] }, marks).read(token), LINK)
	assert.equal(createLinks(changed, marks).read(token), null)
})

test('read returns null for a message of a restore generation that this database does not know', () => {
	const lost = createLinks(settings, () => ['lost'])
	const restored = createLinks(settings, () => ['restored', 'original'])
	assert.equal(restored.read(lost.tokenOf(LINK)), null)
	const original = createLinks(settings, () => ['original'])
	assert.deepEqual(restored.read(original.tokenOf(LINK)), LINK)
})

test('example gives Meta an address of LINK_URL and a token that names the account and holds no target', () => {
	const own = createLinks({ ...settings, LINK_URL: 'https://go.shop.example/' }, marks)
	const { token, url, url_example } = own.example(41_203)
	assert.equal(url, 'https://go.shop.example/l/{{1}}')
	assert.equal(url_example, `https://go.shop.example/l/${token}`)
	assert.deepEqual(own.read(token), { account: 41_203, token })
	assert.ok(token.length <= 30, token)
	assert.notEqual(own.example(41_203).token, token)
	assert.ok(links.example(1).url.startsWith('https://app.example/l/'))
})

test('read returns null for an example’s token that is changed in any place, truncated or lengthened', () => {
	for (const account of [1, 127, 128, 41_203, 2 ** 53 - 1]) {
		const { token } = links.example(account)
		assert.deepEqual(links.read(token), { account, token })
		const bytes = Buffer.from(token, 'base64url')
		for (let at = 0; at < bytes.length; at++) {
			const changed = Buffer.from(bytes)
			changed[at] = (changed[at] ?? 0) ^ 1
			assert.equal(links.read(changed.toString('base64url')), null, `byte ${at}`)
		}
		for (let length = 0; length < bytes.length; length++)
			assert.equal(links.read(bytes.subarray(0, length).toString('base64url')), null, `${length} bytes`)
		for (const more of ['A', 'AAAA', '=', '/']) assert.equal(links.read(token + more), null, more)
	}
})

test('read returns null for the signature of another account’s example, and for one of another installation', () => {
	const [mine, other] = [links.example(1), links.example(2)].map(({ token }) => Buffer.from(token, 'base64url'))
	assert.ok(mine && other)
	const mixed = Buffer.concat([mine.subarray(0, -8), other.subarray(-8)])
	assert.equal(links.read(mixed.toString('base64url')), null)
	const elsewhere = createLinks({ ...settings, SECRET_KEY: randomBytes(32) }, marks)
	assert.equal(links.read(elsewhere.example(1).token), null)
})

/** Returns the token of an example that holds its target, signed as earlier releases signed such tokens. */
function legacyToken(target: string): string {
	const key = Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'counted links', 32))
	const payload = Buffer.concat([Buffer.of(0x20), Buffer.from(target, 'latin1')])
	const signature = createHmac('sha256', key).update(payload).digest().subarray(0, 8)
	return Buffer.concat([payload, signature]).toString('base64url')
}

test('read returns null for a signed token that holds a target', () => {
	for (const target of ['https://shop.example/', 'https://evil.example/a', 'javascript:alert(1)'])
		assert.equal(links.read(legacyToken(target)), null, target)
})

const url = 'https://app.example/l/{{1}}'

test('countedTarget reads the target of components stored before counted_target existed', () => {
	for (const target of ['https://shop.example/', `https://shop.example/${'x'.repeat(MAX_COUNTED_URL_LENGTH - 21)}`]) {
		const example = [`https://app.example/l/${legacyToken(target)}`]
		assert.equal(countedTarget({ type: 'URL', url, example }), target)
		assert.equal(countedTarget({ type: 'URL', url, example, counted_target: null }), null)
		assert.equal(countedTarget({ type: 'URL', url, example, counted_target: 'https://b.in/' }), 'https://b.in/')
	}
})

/** Addresses that are no stored form of a plain https address. */
const NO_TARGETS = [
	'http://shop.example/',
	'https://user@shop.example/',
	'https://user:password@shop.example/',
	'https://@shop.example',
	'https:shop.example',
	'https:\\\\shop.example\\',
	' https://shop.example/',
	'https://shop.example/\n',
	'https://sh\top.example/',
	'HTTPS://SHOP.EXAMPLE/',
	'https://shop.example',
	'https://shop\u3002example/',
	'https://\u0455hop.example/',
	'https://shop.example/साड़ी',
	'javascript:alert(1)',
	'data:text/html,hello',
	'ftp://shop.example/',
	'//shop.example/',
	'/api/users',
	'',
	`https://shop.example/${'x'.repeat(MAX_COUNTED_URL_LENGTH)}`,
]

test('countedTarget returns null for a stored target that is not in its plain form', () => {
	const example = [`https://app.example/l/${links.example(1).token}`]
	for (const target of [...NO_TARGETS, 7, null, undefined, ['https://shop.example/'], {}])
		assert.equal(countedTarget({ type: 'URL', url, example, counted_target: target }), null, JSON.stringify(target))
	for (const target of NO_TARGETS) {
		const legacy = [`https://app.example/l/${legacyToken(target)}`]
		assert.equal(countedTarget({ type: 'URL', url, example: legacy }), null, target)
	}
})

test('plainTarget writes lookalike letters, backslashes and spaces as a browser reads them, and refuses user names', () => {
	assert.equal(plainTarget('https://\u0455hop.example/'), 'https://xn--hop-ehd.example/')
	assert.equal(plainTarget('https://shop.example\\@evil.example/'), 'https://shop.example/@evil.example/')
	assert.equal(plainTarget(' https:\\\\shop.example '), 'https://shop.example/')
	assert.equal(plainTarget('https://shop.example/a b'), 'https://shop.example/a%20b')
	for (const text of [
		'https://shop.example@evil.example/',
		'https://shop.example%40evil.example/',
		'http://shop.example/',
	])
		assert.equal(plainTarget(text), null, text)
	for (const text of [
		'javascript:alert(1)',
		'javascript://shop.example/%0aalert(1)',
		'vbscript:a',
		'https://',
		'https:///',
	])
		assert.equal(plainTarget(text), null, text)
})

test('countedTarget returns null for every other button', () => {
	const counted_target = 'https://shop.example/'
	const example = [`https://app.example/l/${links.example(1).token}`]
	for (const button of [
		{ type: 'URL', url: 'https://shop.example/', counted_target },
		{ type: 'URL', url: 'https://shop.example/{{1}}', example: ['https://shop.example/a'], counted_target },
		{ type: 'URL', url, example },
		{ type: 'URL', url, example: [] },
		{ type: 'QUICK_REPLY', url, example, counted_target },
		{ type: 'URL', url, example: ['https://app.example/l/c2hvcnQ'] },
		...[16, 17, 18, 19].map((length) => ({
			type: 'URL',
			url,
			example: [`https://shop.example/l/${'I'.repeat(length)}`],
		})),
	])
		assert.equal(countedTarget(button), null)
})
