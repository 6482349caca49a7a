import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkAdvice, readEnv } from './env.ts'

const SECRET_KEY = Buffer.alloc(32).toString('base64')

test('readEnv fills in defaults, and builds PUBLIC_URL from HOST and PORT when it is not set', () => {
	const env = readEnv({ SECRET_KEY, PORT: '4000' })
	assert.equal(env.PUBLIC_URL, 'http://127.0.0.1:4000')
	assert.equal(env.UNKNOWN_AFTER, 900)
	assert.equal(env.SECRET_KEY.length, 32)
})

test('readEnv throws one error that names every invalid variable', () => {
	assert.throws(
		() => readEnv({ PORT: 'many', ROLE: 'boss', GRAPH_VERSION: '25' }),
		(error: Error) =>
			['SECRET_KEY: is required', 'PORT:', 'ROLE:', 'GRAPH_VERSION:'].every((part) => error.message.includes(part)),
	)
	assert.throws(
		() => readEnv({ NODE_ENV: 'production', PORT: '70000', PUBLIC_URL: 'http://shop.example', LINK_URL: 'none' }),
		(error: Error) =>
			['SECRET_KEY: is required', 'PORT:', 'PUBLIC_URL: must be the https address', 'LINK_URL: Invalid URL'].every(
				(part) => error.message.includes(part),
			),
	)
	assert.throws(() => readEnv({ SECRET_KEY, TRUST_PROXY: '10.0.0.0/40' }), /TRUST_PROXY: must be addresses/)
	assert.throws(() => readEnv({ SECRET_KEY: 'c2hvcnQ=' }), /SECRET_KEY: must be 32 bytes/)
})

test("readEnv throws for a value of more than 4,096 characters, and ignores other programs' variables", () => {
	assert.throws(() => readEnv({ SECRET_KEY, ISSUER_ADDRESS: '|'.repeat(5000) }), /Too long.*: ISSUER_ADDRESS$/)
	assert.doesNotThrow(() => readEnv({ SECRET_KEY, PATH: 'x'.repeat(5000) }))
})

test('readEnv accepts one line of at most 120 characters as SUPPORT_CONTACT, and none by default', () => {
	assert.equal(readEnv({ SECRET_KEY }).SUPPORT_CONTACT, null)
	const contact = 'Ravi, +91 98765 43210'
	assert.equal(readEnv({ SECRET_KEY, SUPPORT_CONTACT: ` ${contact} ` }).SUPPORT_CONTACT, contact)
	for (const wrong of ['Ravi\nMeena', 'Ravi\u2028Meena', 'Ravi\tMeena', 'x'.repeat(121)])
		assert.throws(() => readEnv({ SECRET_KEY, SUPPORT_CONTACT: wrong }), /SUPPORT_CONTACT: must be one line/)
})

test('readEnv trusts loopback proxies by default, and the addresses and networks of TRUST_PROXY when it is set', () => {
	assert.deepEqual(readEnv({ SECRET_KEY }).TRUST_PROXY, ['loopback'])
	const given = readEnv({ SECRET_KEY, TRUST_PROXY: '10.0.0.5, 10.1.0.0/16,fd00::/8' })
	assert.deepEqual(given.TRUST_PROXY, ['10.0.0.5', '10.1.0.0/16', 'fd00::/8'])
})

test('readEnv accepts a folder or an S3 bucket for STORAGE_URL, and throws for another URL', () => {
	for (const url of ['/srv/files', 's3://uploads', 's3://uploads.example/whatsapp/files/'])
		assert.equal(readEnv({ SECRET_KEY, STORAGE_URL: url }).STORAGE_URL, url)
	for (const url of ['https://uploads.example', 's3://', 's3://Up_loads', 's3://uploads/../etc'])
		assert.throws(() => readEnv({ SECRET_KEY, STORAGE_URL: url }), /STORAGE_URL: must be a folder, or a bucket/, url)
})

test('readEnv splits ISSUER_ADDRESS at | and \\n, and throws for an ISSUER_GSTIN with a wrong check character', () => {
	const address = '14 MG Road | Camp\\nPune 411001 |'
	const env = readEnv({ SECRET_KEY, ISSUER_ADDRESS: address, ISSUER_GSTIN: '27aapfu0939f1zv' })
	assert.deepEqual([env.ISSUER_ADDRESS, env.ISSUER_GSTIN], ['14 MG Road\nCamp\nPune 411001', '27AAPFU0939F1ZV'])
	assert.deepEqual([readEnv({ SECRET_KEY }).ISSUER_ADDRESS, readEnv({ SECRET_KEY }).ISSUER_GSTIN], ['', ''])
	for (const wrong of ['27AAPFU0939F1ZW', '27AAPFU0939F1Z'])
		assert.throws(() => readEnv({ SECRET_KEY, ISSUER_GSTIN: wrong }), /ISSUER_GSTIN: must be a GSTIN such as/)
})

const publicUrlWith = (given: Record<string, string>) =>
	readEnv({ SECRET_KEY, NODE_ENV: 'production', ...given }).PUBLIC_URL

test('readEnv in production throws for an http PUBLIC_URL that other machines use, and for a missing one when they can', () => {
	const refused: Record<string, string>[] = [
		{ HOST: '0.0.0.0' },
		{ HOST: '192.0.2.7' },
		{ PUBLIC_URL: 'http://whatsapp.example.com' },
		{ PUBLIC_URL: 'http://127.0.0.1.example.com' },
	]
	for (const given of refused)
		assert.throws(() => publicUrlWith(given), /PUBLIC_URL: must be the https address/, JSON.stringify(given))
	assert.equal(publicUrlWith({}), 'http://127.0.0.1:3000')
	assert.equal(publicUrlWith({ HOST: '0.0.0.0', PUBLIC_URL: 'https://a.example' }), 'https://a.example')
	assert.equal(publicUrlWith({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }), 'http://localhost:3000')
})

const linkUrlWith = (LINK_URL: string) =>
	readEnv({ SECRET_KEY, NODE_ENV: 'production', PUBLIC_URL: 'https://a.example', LINK_URL }).LINK_URL

test('readEnv applies the rules of PUBLIC_URL to LINK_URL, and throws for a text that is no URL', () => {
	assert.equal(linkUrlWith('https://go.shop.example'), 'https://go.shop.example')
	assert.equal(linkUrlWith('http://localhost:3000'), 'http://localhost:3000')
	assert.throws(() => linkUrlWith('http://go.shop.example'), /LINK_URL: must be the https address/)
	assert.throws(() => linkUrlWith('ftp://go.shop.example'), /LINK_URL/)
})

test('readEnv reads the older keys of SECRET_KEYS_OLD, and throws for an invalid one', () => {
	const older = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
	const SECRET_KEYS_OLD = older.map((key) => key.toString('base64')).join()
	assert.deepEqual(readEnv({ SECRET_KEY, SECRET_KEYS_OLD }).SECRET_KEYS_OLD, older)
	assert.deepEqual(readEnv({ SECRET_KEY }).SECRET_KEYS_OLD, [])
	assert.throws(() => readEnv({ SECRET_KEY, SECRET_KEYS_OLD: 'c2hvcnQ=' }), /SECRET_KEYS_OLD.*: must be 32 bytes/)
})

test('linkAdvice advises a web server at an https address to have LINK_URL on a host of its own', () => {
	const PUBLIC_URL = 'https://app.example'
	const adviceFor = (given: object) => linkAdvice({ ROLE: 'http', PUBLIC_URL, LINK_URL: undefined, ...given })
	assert.match(adviceFor({}) ?? '', /LINK_URL is not set.*advised/)
	assert.match(adviceFor({ LINK_URL: 'https://app.example:8443/' }) ?? '', /LINK_URL has the host of PUBLIC_URL/)
	assert.equal(adviceFor({ LINK_URL: 'https://go.shop.example' }), null)
	assert.equal(adviceFor({ ROLE: 'worker' }), null)
	assert.equal(adviceFor({ PUBLIC_URL: 'http://127.0.0.1:3000' }), null)
})
