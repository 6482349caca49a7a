import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './renderer.css'

/**
 * Renders an OpenAPI document, and resolves when it is visible; rejects when it cannot be read. The page is read-only, because
 * a call from it would send real messages. Links to single calls are off, since they would be inside the buttons that open the
 * calls.
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
			// The colours of the highlighting are too faint.
			syntaxHighlight: { activated: false },
			onComplete: resolve,
		})
	})
}
