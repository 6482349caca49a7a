import { invalidParam } from './errors.ts'
import { countCharacters } from './text.ts'

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object, else throws Graph's error. */
export function objectAt(value: unknown, path: string): JsonObject {
	if (isObject(value)) return value
	throw invalidParam(
		value === undefined ? `The parameter ${path} is required.` : `Param ${path} must be a JSON object.`,
	)
}

export function listAt(value: unknown, path: string): unknown[] {
	if (Array.isArray(value)) return value
	throw invalidParam(value === undefined ? `The parameter ${path} is required.` : `Param ${path} must be an array.`)
}

/** Returns the value if it is a non-empty string, else throws Graph's error. */
export function textAt(value: unknown, path: string): string {
	if (typeof value === 'string' && value !== '') return value
	throw invalidParam(
		value === undefined || value === '' ? `The parameter ${path} is required.` : `Param ${path} must be a string.`,
	)
}

export function textUpTo(value: unknown, path: string, maxLength: number): string {
	const text = textAt(value, path)
	if (countCharacters(text) > maxLength)
		throw invalidParam(`Param ${path} must be at most ${maxLength} characters long.`)
	return text
}

export function optionalText(value: unknown, path: string, maxLength: number): void {
	if (value !== undefined && value !== '') textUpTo(value, path, maxLength)
}

export function onlyKeys(object: JsonObject, path: string, allowed: readonly string[]): void {
	for (const key of Object.keys(object)) {
		if (!allowed.includes(key)) throw invalidParam(`Unexpected key "${key}" on param "${path}".`)
	}
}

/** Returns the value as text, for comparisons and error messages. */
export function shown(value: unknown): string {
	return stringOf(value) ?? (value === undefined ? '' : JSON.stringify(value))
}

export function stringOf(value: unknown): string | null {
	if (typeof value === 'string') return value
	return typeof value === 'number' ? String(value) : null
}
