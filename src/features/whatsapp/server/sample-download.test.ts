import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMetaUrl } from './sample-download.ts'

const api = { origin: 'http://127.0.0.1:4000' }

test('isMetaUrl accepts Meta’s hosts over HTTPS and the configured Graph API', () => {
	for (const address of [
		'https://scontent.whatsapp.net/v/t61/x.jpg?ccb=1',
		'https://scontent.xx.fbcdn.net/a.png',
		'https://lookaside.fbsbx.com/a',
		'http://127.0.0.1:4000/scontent/7',
	]) {
		assert.equal(isMetaUrl(address, api), true, address)
	}
})

test('downloadSample fetches no address outside Meta’s hosts, including similar names', () => {
	for (const address of [
		'http://scontent.whatsapp.net/x.jpg',
		'https://evilfbcdn.net/x',
		'https://fbcdn.net.evil.example/x',
		'https://scontent.whatsapp.net@evil.example/x',
		'https://me@scontent.whatsapp.net/x',
		'https://scontent.whatsapp.net:8443/x',
		'http://127.0.0.1:4001/x',
		'http://169.254.169.254/latest/meta-data',
		'file:///etc/passwd',
		'//scontent.whatsapp.net/x',
		'4::aW1hZ2U=:ARZ',
		'',
	]) {
		assert.equal(isMetaUrl(address, api), false, address)
	}
})
