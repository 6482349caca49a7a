import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPreview } from './previews.ts'

// User agents that these programs send.
const PROGRAMS = [
	'WhatsApp/2.24.20.89 A',
	'WhatsApp/2.2413.1 W',
	'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
	'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
	'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
	'TelegramBot (like TwitterBot)',
	'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
	'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
	'Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)',
	'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
	'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
	'Mozilla/5.0 (Linux; Android 11; moto g power) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse',
	'curl/8.5.0',
	'node',
	'axios/1.7.2',
	'Apache-HttpClient/4.5.14 (Java/17.0.9)',
	'Dalvik/2.1.0 (Linux; U; Android 13; SM-A135F Build/TP1A.220624.014)',
	'Messenger/5 CFNetwork/1568.200.51 Darwin/24.1.0',
	'',
]

const BROWSERS = [
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/91.0 Mobile Safari/537.36',
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
]

test('isPreview returns true for messengers, search engines and programs, and false for browsers', () => {
	for (const agent of PROGRAMS) assert.equal(isPreview('GET', { 'user-agent': agent }), true, agent)
	for (const agent of BROWSERS) assert.equal(isPreview('GET', { 'user-agent': agent }), false, agent)
	assert.equal(isPreview('GET', {}), true)
})

test('isPreview returns true for HEAD and for a browser that prefetches', () => {
	const agent = { 'user-agent': BROWSERS[0] }
	assert.equal(isPreview('HEAD', agent), true)
	for (const header of ['sec-purpose', 'purpose'])
		assert.equal(isPreview('GET', { ...agent, [header]: 'prefetch' }), true)
	assert.equal(isPreview('GET', { ...agent, 'sec-purpose': 'prefetch;prerender' }), true)
})
