import { useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import type { OwnFigures } from '../campaign-preview.tsx'
import { useFirstContact } from '../use-estimate.ts'
import { chosenQuery } from '../use-templates.ts'

/** One message for all queries around the form's fields that failed; the template picker has its own. */
export function MissingCounts({ templateId, figures }: { templateId: string; figures: OwnFigures }) {
	const readings = [
		useFirstContact(''),
		useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		figures,
		useQuery(query(wallet.balance)),
		useQuery({ ...chosenQuery(templateId), enabled: templateId !== '' }),
	]
	return <MissingPart message="Some of this page could not be loaded." readings={readings} />
}
