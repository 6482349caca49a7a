/** A small fault that is planted in a copy of the source, to prove that a test notices it. */
export interface PlantedFault {
	/** What the product does then. */
	name: string
	file: string
	/** Stands exactly once in the file. */
	text: string
	replacement: string
	/** The test files of which one has to fail. */
	tests: readonly string[]
}
