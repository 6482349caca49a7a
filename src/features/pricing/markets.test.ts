import assert from 'node:assert/strict'
import { test } from 'node:test'
import examples from 'libphonenumber-js/examples.mobile.json'
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max'
import { MARKET_IDS, marketName, marketOf, marketOfCountry } from './markets.ts'

const NAMED = `91 India; 54 Argentina; 880 Bangladesh; 55 Brazil; 56 Chile; 57 Colombia; 20 Egypt; 33 France; 49 Germany;
	852 Hong Kong; 36 Hungary; 62 Indonesia; 964 Iraq; 972 Israel; 39 Italy; 76 77 Kazakhstan; 965 Kuwait; 60 Malaysia;
	52 Mexico; 212 Morocco; 977 Nepal; 31 Netherlands; 234 Nigeria; 968 Oman; 92 Pakistan; 51 Peru; 48 Poland; 974 Qatar;
	40 Romania; 7 Russia; 966 Saudi Arabia; 65 Singapore; 27 South Africa; 34 Spain; 94 Sri Lanka; 90 Turkey; 380 Ukraine;
	971 United Arab Emirates; 44 United Kingdom; 1 North America;
	213 244 229 267 226 257 237 235 242 291 268 251 241 220 233 245 225 254 266 231 218 261 265 223 222 258 264 227 250 221
	232 252 211 249 255 228 216 256 260 263 Rest of Africa;
	93 61 855 86 81 856 976 64 675 63 886 992 66 993 998 84 Rest of Asia Pacific;
	355 374 994 375 359 385 420 995 30 371 370 373 389 381 421 386 Rest of Central & Eastern Europe;
	43 32 45 358 353 47 351 46 41 Rest of Western Europe;
	591 506 593 503 502 509 504 505 507 595 598 58 1809 1829 1849 1658 1876 1787 1939 Rest of Latin America;
	973 962 961 967 Rest of Middle East; 82 95 960 230 243 1242 1345 1441 Other`

test('marketOf finds each of the 47 markets by the calling codes that Meta lists', () => {
	const named = new Map<string, string>()
	for (const part of NAMED.split(';')) {
		const [, codes = '', name = ''] = /^\s*([\d\s]+) (.+?)\s*$/s.exec(part) ?? []
		for (const code of codes.split(/\s+/)) named.set(code, name)
	}
	for (const [code, name] of named) assert.equal(marketName(marketOf(`${code}5550100`)), name, code)
	assert.deepEqual(new Set(named.values()), new Set(MARKET_IDS.map(marketName)))
	assert.equal(MARKET_IDS.length, 47)
})

test('marketOf and marketOfCountry agree for the example number of every country', () => {
	for (const country of getCountries()) {
		const number = getExampleNumber(country, examples)?.number ?? `+${getCountryCallingCode(country)}`
		const byNumber = marketOf(number.slice(1))
		assert.equal(byNumber, marketOfCountry(country), `${country} ${number}`)
		assert.equal(marketOf(`${country}.13491208655302741918`), byNumber, country)
	}
})

test('marketOf assigns unknown, short and empty keys to Other', () => {
	for (const key of ['', '0', '999', 'ZZ.1', 'IN', 'in.1']) assert.equal(marketOf(key), 'other', key)
})
