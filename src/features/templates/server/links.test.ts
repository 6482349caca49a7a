import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { countedTarget, MAX_COUNTED_URL_LENGTH } from '../counted-link.ts'
import { createLinks, type MessageLink } from './links.ts'

const SECRET_KEY = randomBytes(32)
const settings = { SECRET_KEY, SECRET_KEYS_OLD: [], PUBLIC_URL: 'https://app.example' }
const marks = ({ campaignId, seq }: { campaignId: number; seq: number }) => [`${campaignId}:${seq}`]
const links = createLinks(settings, marks)
const LINK: MessageLink = { account: 41_203, campaignId: 1_100_000_017, seq: 999_999, button: 1 }

test('read returns the message of tokenOf, whose tokens are short enough for a message', () => {
	for (const link of [LINK, { account: 1, campaignId: 1, seq: 1, button: 0 }, { ...LINK, campaignId: 2 ** 53 - 1 }])
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

test('buttonTo returns an address under LINK_URL and an example that contains the target', () => {
	const own = createLinks({ ...settings, LINK_URL: 'https://go.shop.example/' }, marks)
	const { url, url_example } = own.buttonTo('https://shop.example/साड़ी?size=m l#top')
	assert.equal(url, 'https://go.shop.example/l/{{1}}')
	const target = 'https://shop.example/%E0%A4%B8%E0%A4%BE%E0%A4%A1%E0%A4%BC%E0%A5%80?size=m%20l#top'
	assert.equal(countedTarget({ type: 'URL', url, example: [url_example] }), target)
	assert.deepEqual(own.read(url_example.split('/l/')[1] ?? ''), { target })
	assert.ok(links.buttonTo(target).url.startsWith('https://app.example/l/'))
})

test('read returns null for an unsigned example, and accepts the longest target', () => {
	const longest = `https://shop.example/${'x'.repeat(MAX_COUNTED_URL_LENGTH - 21)}`
	const token = links.buttonTo(longest).url_example.split('/l/')[1] ?? ''
	assert.deepEqual(links.read(token), { target: longest })
	assert.ok(token.length < 1000)
	const bytes = Buffer.from(token, 'base64url')
	bytes.write('https://evil', 1, 'latin1')
	assert.equal(links.read(bytes.toString('base64url')), null)
})

test('countedTarget returns null for every other button', () => {
	const { url, url_example } = links.buttonTo('https://shop.example/')
	for (const button of [
		{ type: 'URL', url: 'https://shop.example/' },
		{ type: 'URL', url: 'https://shop.example/{{1}}', example: ['https://shop.example/a'] },
		{ type: 'URL', url },
		{ type: 'URL', url, example: [] },
		{ type: 'QUICK_REPLY', url, example: [url_example] },
		{ type: 'URL', url, example: ['https://app.example/l/c2hvcnQ'] },
		...[16, 17, 18, 19].map((length) => ({
			type: 'URL',
			url,
			example: [`https://shop.example/l/${'I'.repeat(length)}`],
		})),
	])
		assert.equal(countedTarget(button), null)
})
