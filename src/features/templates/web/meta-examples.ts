import type { Component } from '#features/templates/contract.ts'

/**
 * Returns the examples of a header's or body's variables in the order of `variables`; undefined where Meta has none.
 * Meta stores examples of numbered variables as a list (nested for a body), of named ones as pairs.
 */
export function examplesOf(component: Component | undefined, variables: readonly string[]): (string | undefined)[] {
	const example = (component?.['example'] ?? {}) as Record<string, unknown>
	const listed = [example['body_text'] ?? example['header_text'] ?? []].flat(2).map(String)
	const pairs = [example['body_text_named_params'] ?? example['header_text_named_params'] ?? []].flat() as {
		param_name?: unknown
		example?: unknown
	}[]
	return variables.map((name, index) => {
		const named = pairs.find((pair) => pair.param_name === name)?.example
		return typeof named === 'string' ? named : listed[index]
	})
}
