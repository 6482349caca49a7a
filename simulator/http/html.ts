import { shown } from '../graph/json.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Returns a value as text that is safe in the content and in the quoted attributes of an HTML page. */
export function escapeHtml(value: unknown): string {
	return shown(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
