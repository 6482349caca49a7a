import { Group, useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { developerPaths, V1_DOCUMENT } from '#features/developer/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { useDocumentTitle } from '#lib/web/ui/layout/use-document-title.ts'

/** Renders the public page with the documentation of /v1. */
export function ApiDocs() {
	useDocumentTitle('API documentation')
	useDarkClass()
	const place = useRef<HTMLDivElement>(null)
	const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
	useEffect(() => {
		// The library loads separately: it has half a megabyte, and no other screen needs it.
		import('./renderer.ts')
			.then(async ({ render }) => {
				if (place.current) await render(place.current, V1_DOCUMENT)
				setState('shown')
			})
			.catch(() => setState('failed'))
	}, [])
	return (
		<>
			<Group justify="space-between" gap="8px 16px">
				<h2 style={{ margin: 0 }}>API documentation</h2>
				<Group gap={16}>
					<Link to={developerPaths.developers}>Your API keys</Link>
					<a href={V1_DOCUMENT}>OpenAPI document</a>
				</Group>
			</Group>
			{state === 'loading' && <p>Loading...</p>}
			{state === 'failed' && <p role="alert">The documentation could not be loaded. Reload this page.</p>}
			<div ref={place} />
		</>
	)
}

/** Sets the class of the page by which the renderer chooses its colours. */
function useDarkClass() {
	const scheme = useComputedColorScheme()
	useEffect(() => {
		const { classList } = document.documentElement
		classList.toggle('dark-mode', scheme === 'dark')
		return () => classList.remove('dark-mode')
	}, [scheme])
}
