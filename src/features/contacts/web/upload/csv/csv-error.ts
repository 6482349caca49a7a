/** What is wrong with a file as a whole, in words for whoever chose it; without any when nobody foresaw it. */
export class CsvError extends Error {
	override readonly name = 'CsvError'
}
