import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './renderer.css'

/**
 * Shows an OpenAPI document. It only reads: a call from here would send real messages. No links to single calls, as they would
 * stand inside the buttons that open these.
 */
export function render(domNode: HTMLElement, url: string): void {
	SwaggerUI({
		domNode,
		url,
		docExpansion: 'list',
		defaultModelsExpandDepth: -1,
		supportedSubmitMethods: [],
		validatorUrl: null,
		// Its colours are too faint.
		syntaxHighlight: { activated: false },
	})
}
