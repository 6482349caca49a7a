import { Missing } from '#lib/web/ui/feedback/missing.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { PlainPage } from './plain-page.tsx'

/** Renders the page for unknown URLs. */
export function NotFound() {
	return (
		<PlainPage>
			<PageHeader title="Page not found" />
			<Missing title="There is no page at this address." to="/" name="the start page" />
		</PlainPage>
	)
}
