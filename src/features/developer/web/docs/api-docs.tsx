import { Group, useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { developerPaths, V1_DOCUMENT } from '#features/developer/paths.ts'
import { useDocumentTitle } from '#lib/web/ui/layout/use-document-title.ts'

/** The description of /v1 for programmers, open to everybody. */
export function ApiDocs() {
	useDocumentTitle('API documentation')
	useDarkClass()
	const place = useRef<HTMLDivElement>(null)
	const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
	useEffect(() => {
		// Half a megabyte that no other screen needs.
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

/** The renderer goes by a class of the page. */
function useDarkClass() {
	const scheme = useComputedColorScheme()
	useEffect(() => {
		const { classList } = document.documentElement
		classList.toggle('dark-mode', scheme === 'dark')
		return () => classList.remove('dark-mode')
	}, [scheme])
}
