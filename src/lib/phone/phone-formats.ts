/**
 * Groups of digits in which countries write mobile numbers after the calling code, each with the codes that use it; a
 * code has several entries when its numbers have several lengths. Taken from libphonenumber, and compared with it by
 * the test.
 */
const GROUPINGS = `
	4 290 690
	5 247 290 500 690
	6 690
	7 690
	8 350 591 686
	15 672
	18 31
	23 682
	24 358 688
	25 358 677 685
	26 232 357 358 374 381 993
	27 218 260 358 381
	28 20 358
	33 376
	34 43 220 239 246 297 354 372 501 592 597 599 673 674 676 678 679 680 683 691 692 960
	35 43 370 965
	36 43 254 256 595
	37 43 57 58 92 977
	38 43
	39 43
	44 65 230 266 268 356 372 502 503 504 505 506 507 670 675 852 853 968 973 974 976
	46 44 880
	47 49
	55 91
	133 248 291
	134 95 599
	144 56 962
	222 298 299 508 681 687
	224 509
	233 64 216 267 359 371 382 383 386 387 389 598 855 961
	234 27 36 60 64 66 82 93 94 231 233 242 249 251 252 258 263 264 353 355 380 385 593 966 971 972 992
	235 64
	244 81 82
	254 55
	322 238 269
	323 373
	333 40 48 51 61 62 84 211 240 243 244 245 250 255 351 352 420 421 423 886 963 967 970 996
	334 1 30 39 52 63 98 234 850 964
	343 62
	344 62 86
	345 62
	1244 54
	2222 45 47 222 223 226 227 228 235 236 241 253 257 378 689 975
	2224 225
	2232 261
	2233 856
	2322 41 46 221 375 994 998
	3222 32 34 213 224 262 265 590 594 596 995
	3322 7 90
	12222 33 212 237 377
	17 53 252
	22222 229
`

/** Digit groups of mobile numbers, by calling code and length. */
const formats = readGroupings()

function readGroupings(): ReadonlyMap<string, ReadonlyMap<number, readonly number[]>> {
	const byCode = new Map<string, Map<number, number[]>>()
	for (const line of GROUPINGS.trim().split('\n')) {
		const [grouping = '', ...codes] = line.trim().split(' ')
		const groups = Array.from(grouping, Number)
		const length = groups.reduce((sum, group) => sum + group, 0)
		for (const code of codes) byCode.set(code, (byCode.get(code) ?? new Map<number, number[]>()).set(length, groups))
	}
	return byCode
}

/** Splits a number into calling code and national part; null when no country has the code. */
export function splitNumber(number: string): { code: string; national: string } | null {
	for (const length of [1, 2, 3]) {
		const code = number.slice(0, length)
		if (formats.has(code)) return { code, national: number.slice(length) }
	}
	return null
}

/** Returns the possible lengths of a calling code's mobile numbers. */
export function mobileLengths(code: string): number[] {
	return [...(formats.get(code)?.keys() ?? [])]
}

/** Splits the national part into its country's digit groups; one group when its length is not a mobile number's. */
export function groupNational(code: string, national: string): string {
	const groups = formats.get(code)?.get(national.length)
	if (!groups) return national
	let from = 0
	return groups.map((size) => national.slice(from, (from += size))).join(' ')
}
