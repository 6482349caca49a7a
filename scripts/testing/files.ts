import { globSync } from 'node:fs'

/** The files of tests that stand beside what they test. */
export const UNIT_TESTS = ['src/**/*.test.{ts,tsx}', '{simulator,embedded}/**/*.test.ts']
/** The files of tests of the product as a whole, without a browser: crashes, outages, money, permissions. */
export const SYSTEM_TESTS = ['test/*.test.ts']
/** The files of tests of the simulator with public clients, which are installed for them alone. */
export const CLIENT_TESTS = ['test/clients/*.test.ts']

/** The files that match, of those whose path contains one of the words, if there are any words. */
export function findFiles(patterns: string[], words: string[]): string[] {
	const files = globSync(patterns).toSorted()
	return files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
}
