/**
 * Meta's markets: each country with an own rate, the regions, and Other. Each has its name in Meta's rate file, and its
 * countries (ISO codes), each followed by its calling code. Where countries share +1 or +7, the area codes follow the
 * calling code. Countries that are not listed belong to Other, whose list only corrects +1.
 */
const MARKETS = {
	IN: ['India', 'IN 91'],
	AR: ['Argentina', 'AR 54'],
	BD: ['Bangladesh', 'BD 880'],
	BR: ['Brazil', 'BR 55'],
	CL: ['Chile', 'CL 56'],
	CO: ['Colombia', 'CO 57'],
	EG: ['Egypt', 'EG 20'],
	FR: ['France', 'FR 33'],
	DE: ['Germany', 'DE 49'],
	HK: ['Hong Kong', 'HK 852'],
	HU: ['Hungary', 'HU 36'],
	ID: ['Indonesia', 'ID 62'],
	IQ: ['Iraq', 'IQ 964'],
	IL: ['Israel', 'IL 972'],
	IT: ['Italy', 'IT VA 39'],
	KZ: ['Kazakhstan', 'KZ 76 77'],
	KW: ['Kuwait', 'KW 965'],
	MY: ['Malaysia', 'MY 60'],
	MX: ['Mexico', 'MX 52'],
	MA: ['Morocco', 'MA EH 212'],
	NP: ['Nepal', 'NP 977'],
	NL: ['Netherlands', 'NL 31'],
	NG: ['Nigeria', 'NG 234'],
	OM: ['Oman', 'OM 968'],
	PK: ['Pakistan', 'PK 92'],
	PE: ['Peru', 'PE 51'],
	PL: ['Poland', 'PL 48'],
	QA: ['Qatar', 'QA 974'],
	RO: ['Romania', 'RO 40'],
	RU: ['Russia', 'RU 7'],
	SA: ['Saudi Arabia', 'SA 966'],
	SG: ['Singapore', 'SG 65'],
	ZA: ['South Africa', 'ZA 27'],
	ES: ['Spain', 'ES 34'],
	LK: ['Sri Lanka', 'LK 94'],
	TR: ['Turkey', 'TR 90'],
	UA: ['Ukraine', 'UA 380'],
	AE: ['United Arab Emirates', 'AE 971'],
	GB: ['United Kingdom', 'GB GG IM JE 44'],
	'north-america': ['North America', 'US CA 1'],
	'rest-of-africa': [
		'Rest of Africa',
		`DZ 213 AO 244 BJ 229 BW 267 BF 226 BI 257 CM 237 TD 235 CG 242 ER 291 SZ 268 ET 251 GA 241 GM 220 GH 233 GW 245
		CI 225 KE 254 LS 266 LR 231 LY 218 MG 261 MW 265 ML 223 MR 222 MZ 258 NA 264 NE 227 RW 250 SN 221 SL 232 SO 252
		SS 211 SD 249 TZ 255 TG 228 TN 216 UG 256 ZM 260 ZW 263`,
	],
	'rest-of-asia-pacific': [
		'Rest of Asia Pacific',
		`AF 93 AU CC CX 61 KH 855 CN 86 JP 81 LA 856 MN 976 NZ 64 PG 675 PH 63 TW 886 TJ 992 TH 66 TM 993 UZ 998 VN 84`,
	],
	'rest-of-central-and-eastern-europe': [
		'Rest of Central & Eastern Europe',
		`AL 355 AM 374 AZ 994 BY 375 BG 359 HR 385 CZ 420 GE 995 GR 30 LV 371 LT 370 MD 373 MK 389 RS 381 SK 421 SI 386`,
	],
	'rest-of-latin-america': [
		'Rest of Latin America',
		`BO 591 CR 506 DO 1809 1829 1849 EC 593 SV 503 GT 502 HT 509 HN 504 JM 1658 1876 NI 505 PA 507 PY 595
		PR 1787 1939 UY 598 VE 58`,
	],
	'rest-of-middle-east': ['Rest of Middle East', 'BH 973 JO 962 LB 961 YE 967'],
	'rest-of-western-europe': [
		'Rest of Western Europe',
		'AT 43 BE 32 DK 45 FI AX 358 IE 353 NO SJ 47 PT 351 SE 46 CH 41',
	],
	other: [
		'Other',
		`AG 1268 AI 1264 AS 1684 BB 1246 BM 1441 BS 1242 DM 1767 GD 1473 GU 1671 KN 1869 KY 1345 LC 1758 MP 1670 MS 1664
		SX 1721 TC 1649 TT 1868 VC 1784 VG 1284 VI 1340`,
	],
} as const satisfies Record<string, readonly [name: string, countries: string]>

export type Market = keyof typeof MARKETS

/** All 47 markets, in the order of Meta's rate file: countries, regions, Other. */
export const MARKET_IDS = Object.keys(MARKETS) as Market[]
export const HOME_MARKET: Market = 'IN'
/** Market of countries that Meta does not list. It has rates of its own. */
export const OTHER_MARKET: Market = 'other'

/** Categories by which Meta charges, as `pricing.category` of status updates names them. */
export const RATE_CATEGORIES = [
	'marketing',
	'utility',
	'authentication',
	'authentication-international',
	'service',
] as const
export type RateCategory = (typeof RATE_CATEGORIES)[number]

/** Returns the market's name in Meta's rate file. */
export function marketName(market: Market): string {
	return MARKETS[market][0]
}

const markets = readMarkets()

/**
 * Markets by the prefix of a recipient's key: a calling code with or without an area code ("91", "1809"), or the country
 * of a business-scoped user id with its dot ("IN."). The longest matching prefix counts; keys without one are in Other.
 */
export const MARKET_BY_PREFIX: ReadonlyMap<string, Market> = markets.byPrefix
/** Length of the longest prefix in `MARKET_BY_PREFIX`. */
export const LONGEST_PREFIX = Math.max(...Array.from(MARKET_BY_PREFIX.keys(), (prefix) => prefix.length))

/** Returns the market that Meta charges for a recipient: canonical digits of a number, or a business-scoped user id. */
export function marketOf(recipient: string): Market {
	for (let length = LONGEST_PREFIX; length > 0; length--) {
		const market = MARKET_BY_PREFIX.get(recipient.slice(0, length))
		if (market) return market
	}
	return OTHER_MARKET
}

/** Returns the market of a country by its ISO code of two letters, as Meta's analytics name countries. */
export function marketOfCountry(country: string): Market {
	return markets.byCountry.get(country) ?? OTHER_MARKET
}

/** Returns the ISO codes of the countries that Meta lists in a market; for Other only those of +1. */
export function countriesOf(market: Market): string[] {
	return MARKETS[market][1].split(/\s+/).filter((word) => /^[A-Z]/.test(word))
}

function readMarkets() {
	const byPrefix = new Map<string, Market>()
	const byCountry = new Map<string, Market>()
	for (const market of MARKET_IDS)
		for (const word of MARKETS[market][1].split(/\s+/)) {
			if (/^\d/.test(word)) {
				byPrefix.set(word, market)
			} else {
				byCountry.set(word, market)
				byPrefix.set(`${word}.`, market)
			}
		}
	return { byPrefix, byCountry }
}
