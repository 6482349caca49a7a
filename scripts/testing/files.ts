import { globSync } from 'node:fs'

/** Test files in the folder of the code that they test. */
export const UNIT_TESTS = ['src/**/*.test.{ts,tsx}', '{simulator,embedded}/**/*.test.ts']
/** Test files of the product as a whole, without a browser: crashes, outages, money, permissions. */
export const SYSTEM_TESTS = ['test/*.test.ts']
/** Test files of the simulator with public clients, which are installed for these tests only. */
export const CLIENT_TESTS = ['test/clients/*.test.ts']

/** Returns the files that match one of the patterns and, if there are words, contain one of them in their path. */
export function findFiles(patterns: string[], words: string[]): string[] {
	const files = globSync(patterns).toSorted()
	return files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
}
