/** A small fault that is planted in a copy of the source, to prove that a test detects it. */
export interface PlantedFault {
	/** Faulty behaviour of the product. */
	name: string
	file: string
	/** Text to replace. The file contains it exactly once. */
	text: string
	replacement: string
	/** Test files of which at least one must fail. */
	tests: readonly string[]
}
