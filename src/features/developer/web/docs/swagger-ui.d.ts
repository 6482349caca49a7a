declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
	const SwaggerUI: typeof import('swagger-ui-dist').SwaggerUIBundle
	export default SwaggerUI
}
