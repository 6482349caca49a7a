import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './renderer.css'

/**
 * Shows an OpenAPI document, and resolves when it stands there; rejects when the document cannot be read. It only reads: a call
 * from here would send real messages. No links to single calls, as they would stand inside the buttons that open these.
 */
export async function render(domNode: HTMLElement, url: string): Promise<void> {
	const answer = await fetch(url)
	if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}`)
	const spec = (await answer.json()) as object
	await new Promise<void>((resolve) => {
		SwaggerUI({
			domNode,
			spec,
			docExpansion: 'list',
			defaultModelsExpandDepth: -1,
			supportedSubmitMethods: [],
			validatorUrl: null,
			// Its colours are too faint.
			syntaxHighlight: { activated: false },
			onComplete: resolve,
		})
	})
}
