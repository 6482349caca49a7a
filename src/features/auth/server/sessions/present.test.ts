import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './present.ts'

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const cases = {
	'Chrome on Windows': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/156.0.0.0 Safari/537.36`,
	'Edge on Windows': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
	'Opera on Linux': `Mozilla/5.0 (X11; Linux x86_64) ${KIT} Chrome/155.0.0.0 Safari/537.36 OPR/120.0.0.0`,
	'Chrome on Android': `Mozilla/5.0 (Linux; Android 10; K) ${KIT} Chrome/156.0.0.0 Mobile Safari/537.36`,
	'Samsung Internet on Android': `Mozilla/5.0 (Linux; Android 10; K) ${KIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
	'Safari on iPhone':
		'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
	'Chrome on iPhone':
		'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0.0.0 Mobile/15E148 Safari/604.1',
	'Firefox on Mac': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
	'Chrome on ChromeOS': `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/156.0.0.0 Safari/537.36`,
	'Unknown device': 'node',
}

for (const [device, userAgent] of Object.entries(cases)) {
	test(`deviceOf returns ${device} for its user agent`, () => assert.equal(deviceOf(userAgent), device))
}
