/** An error of the whole file, with a message for the user; an empty message for an unexpected error. */
export class CsvError extends Error {
	override readonly name = 'CsvError'
}
